import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { childProgram } from '../../support/child-program.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const PROMPT = 'any other key means no > ';

/** Waits for a file, so that a test says when to ask; then asks, and prints the answer and the terminal's mode. */
const PROGRAM = `
  import { spawnSync } from 'node:child_process';
  import { existsSync } from 'node:fs';
  import { TerminalApprovalGate } from '#src/infrastructure/approval/terminal-approval-gate.ts';
  async function main() {
    console.error('started');
    while (!existsSync(process.argv[2] ?? '')) await new Promise((resolve) => setTimeout(resolve, 5));
    const plan = { tool: 'shell', arguments: { command: 'ls' }, action: { kind: 'handler' } } as const;
    const reason = { kind: 'policy', text: 'because' } as const;
    const { signal } = new AbortController();
    const context = { step: 'fix', callId: 'call_001', signal };
    const decision = await new TerminalApprovalGate().review({ plan, planHash: 'h', reason }, context);
    console.error(JSON.stringify(decision));
    spawnSync('stty', ['-a'], { stdio: ['inherit', 'inherit', 'inherit'] });
  }
  void main();
`;

class Session {
  shown = '';
  readonly #ended: Promise<unknown>;
  #wake = () => {};

  constructor(private readonly child: ChildProcessWithoutNullStreams) {
    this.#ended = once(child, 'close');
    child.stdout.on('data', (chunk) => {
      this.shown += String(chunk);
      this.#wake();
    });
  }

  type(text: string): void {
    this.child.stdin.write(text);
  }

  async shows(text: string): Promise<void> {
    while (!this.shown.includes(text)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async end(): Promise<string> {
    await this.#ended;
    return this.shown;
  }
}

function startInTerminal(folder: string): { readonly session: Session; readonly ask: () => void } {
  const go = join(folder, 'go');
  const command = `"${process.execPath}" "${childProgram(folder, PROGRAM)}" "${go}"`;
  const session = new Session(spawn('script', ['-qec', command, '/dev/null']));
  return { session, ask: () => writeFileSync(go, '') };
}

// util-linux's `script` gives a real terminal; other systems have another one of that name, or none.
const hasTerminals = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

describe('TerminalApprovalGate on a real terminal', () => {
  it('is asked for by a process that has none', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'go'), '');
    const options = { encoding: 'utf8', input: 'y\n' } as const;
    const { stderr } = spawnSync(
      process.execPath,
      [childProgram(folder, PROGRAM), join(folder, 'go')],
      options,
    );
    expect(stderr).toContain('"unavailable":true');
  });

  if (hasTerminals) {
    it('takes one key without Enter, shows nothing of it, and restores the mode', async () => {
      const { session, ask } = startInTerminal(temporaryFolder());
      ask();
      await session.shows(PROMPT);
      session.type('y');
      const shown = await session.end();
      expect(shown).toContain(`${PROMPT}yes`);
      expect(shown).toContain('"kind":"approved","planHash":"h"');
      expect(shown).toMatch(/[\s;]icanon\b.*[\s;]echo\b/s);
    });

    it('throws away what was typed before', async () => {
      const { session, ask } = startInTerminal(temporaryFolder());
      await session.shows('started');
      session.type('y\ny');
      // The terminal's own echo shows that it has the keys.
      await session.shows('y\r\ny');
      ask();
      await session.shows(PROMPT);
      session.type('n');
      expect(await session.end()).toContain('"kind":"denied"');
    });

    it('takes Ctrl-C for stop, and Ctrl-D for no', async () => {
      for (const [key, kind] of [
        ['\x03', 'abort'],
        ['\x04', 'denied'],
      ] as const) {
        const { session, ask } = startInTerminal(temporaryFolder());
        ask();
        await session.shows(PROMPT);
        session.type(key);
        const shown = await session.end();
        expect(shown).toContain(`"kind":"${kind}"`);
        expect(shown).toMatch(/[\s;]icanon\b/);
      }
    });
  }
});
