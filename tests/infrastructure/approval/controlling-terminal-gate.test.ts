import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { childProgram } from '../../support/child-program.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Its own streams carry something else; the answer goes to standard output. */
const PROGRAM = `
  import { ControllingTerminalGate } from '#src/infrastructure/approval/controlling-terminal-gate.ts';
  async function main() {
    const plan = { tool: 'shell', arguments: { command: 'ls' }, action: { kind: 'handler' } } as const;
    const reason = { kind: 'policy', text: 'because' } as const;
    const { signal } = new AbortController();
    const context = { runId: 'r', effectId: 'e', step: 'serve', callId: 'call_1', agent: 'tester', signal };
    const decision = await new ControllingTerminalGate().review({ plan, planHash: 'h', reason }, context);
    console.log('decided ' + JSON.stringify(decision));
  }
  void main();
`;

const hasTerminals = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

/** Runs the program in a terminal, with its input elsewhere, and types when it asks. */
async function inTerminal(before: string, typed: string): Promise<string> {
  const program = childProgram(temporaryFolder(), PROGRAM);
  const command = `${before} "${process.execPath}" "${program}" </dev/null | cat`;
  const child = spawn('script', ['-qec', command, '/dev/null']);
  let shown = '';
  let rest = typed;
  child.stdout.on('data', (chunk) => {
    shown += chunk;
    if (!shown.includes('means no > ')) return;
    child.stdin.write(rest);
    rest = '';
  });
  await once(child, 'close');
  return shown;
}

describe('ControllingTerminalGate', () => {
  if (hasTerminals) {
    it('asks on the terminal behind a process whose own streams are taken', async () => {
      expect(await inTerminal('', 'y')).toContain('"kind":"approved"');
    });

    it('does not ask while another program reads the keys', async () => {
      const shown = await inTerminal('stty -icanon;', '');
      expect(shown).toContain('another program is reading the keys');
      expect(shown).not.toContain('means no > ');
    });
  }

  it('says no where there is no terminal', () => {
    const program = childProgram(temporaryFolder(), PROGRAM);
    const { stdout } = spawnSync('setsid', ['-w', process.execPath, program], {
      encoding: 'utf8',
      input: 'y',
    });
    expect(stdout).toContain('"unavailable":true');
    expect(stdout).toContain('there is no terminal');
  });
});
