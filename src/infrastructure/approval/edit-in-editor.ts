import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Edited } from './edit-arguments.js';
import { CANNOT_RUN, runOnTerminal } from './run-on-terminal.js';
import type { Terminal } from './terminal.js';

/** Has a text changed in the person's own editor; only they can read the file, and it is gone afterwards. */
export async function editInEditor(terminal: Terminal, text: string): Promise<Edited> {
  const { env, isLendable } = terminal;
  const command = env.VISUAL || env.EDITOR;
  if (!isLendable || !command) return 'no-editor';
  // A new folder is 0700 whatever the umask.
  const folder = await mkdtemp(join(tmpdir(), 'toolgate-edit-'));
  try {
    const file = join(folder, 'arguments.json');
    await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx' });
    const code = await runOnTerminal(terminal, { command, args: [file], env });
    if (code === CANNOT_RUN) {
      terminal.write('\n  the editor is not there: see $VISUAL and $EDITOR\n');
      return 'no-editor';
    }
    // An editor says with its code that the change is not meant: `:cq`.
    return code === 0 ? { text: await readFile(file, 'utf8') } : 'given-up';
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
