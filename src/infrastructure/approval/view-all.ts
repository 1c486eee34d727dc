import { messageOf } from '../../domain/errors.js';
import type { ApprovalPreview } from './preview.js';
import { renderPreview } from './render-preview.js';
import { CANNOT_RUN, runOnTerminal } from './run-on-terminal.js';
import type { Terminal } from './terminal.js';

/** Shows all of a preview in a pager, or on the screen where there is none. */
export async function viewAll(terminal: Terminal, preview: ApprovalPreview): Promise<void> {
  const text = renderPreview(preview, { ...terminal.size, whole: true, isColoured: false });
  if (!(await isPaged(terminal, text))) terminal.write(`\n${text}`);
  else terminal.write('\n');
}

async function isPaged(terminal: Terminal, text: string): Promise<boolean> {
  const { env, isLendable } = terminal;
  if (!isLendable) return false;
  try {
    const code = await runOnTerminal(terminal, {
      command: env.PAGER || 'less',
      input: text,
      // Nothing else can be opened or run from within, and escapes (there are none) would be shown as text.
      env: { ...env, LESSSECURE: '1', LESS: '-M' },
    });
    return code !== CANNOT_RUN;
  } catch (error) {
    terminal.write(`\n  the pager does not start: ${messageOf(error)}\n`);
    return false;
  }
}
