import { describe, expect, it } from '@jest/globals';
import { renderRequest } from '../../../src/infrastructure/approval/render-request.js';
import { requestFor } from '../../support/fake-terminal.js';

const PLACE = { step: 'fix', callId: 'call_001' };
const NARROW = { columns: 60, whole: false };

function render(more: Parameters<typeof requestFor>[0], layout = NARROW) {
  return renderRequest(requestFor(more), PLACE, layout);
}

describe('renderRequest', () => {
  it('shows a command argument by argument, where it runs and what holds it', () => {
    const action = {
      kind: 'process',
      argv: ['/usr/bin/git', 'commit', '-m', 'two words '],
      cwd: '/project/project',
      script: 'git commit -m "two words "',
      unconfined: true,
    } as const;
    expect(render({ action, arguments: { message: 'two words ' } }).text).toBe(
      [
        '',
        'May the agent use "shell"?',
        '  step              │ fix',
        '  call              │ call_001',
        '  why               │ "shell" has approval: prompt',
        '  runs',
        '    │ [0] /usr/bin/git',
        '    │ [1] commit',
        '    │ [2] -m',
        '    │ [3] two words\\u{20}',
        '  command line      │ git commit -m "two words "',
        '  in                │ /project/project',
        '  confined by       │ nothing but checks before it starts',
        '  argument message  │ two words\\u{20}',
        '',
      ].join('\n'),
    );
  });

  it('shows the file that would be written, with its size and its new content line by line', () => {
    const action = { kind: 'write-file', path: '/project/a.ts', bytes: 12, append: false } as const;
    const { text } = render({ action, arguments: { path: 'x/../a.ts', content: 'one\n\ttwo\n', mode: 7 } });
    expect(text).toContain('  writes 12 bytes to\n    │ /project/a.ts\n');
    expect(text).toContain('  argument content\n    │ one\n    │ →   two\n    │ \n');
    expect(text).toContain('  argument mode     │ 7\n');
    expect(render({ action: { ...action, append: true } }).text).toContain('appends 12 bytes to');
  });

  it('shows method and address of a request, and the file that would be read', () => {
    const http = { kind: 'http', method: 'POST', url: 'https://a.example/' } as const;
    expect(render({ action: http }).text).toContain('sends             │ POST https://a.example/');
    expect(render({ action: { kind: 'read-file', path: '/etc/hosts' } }).text).toContain('│ /etc/hosts');
  });

  it('keeps the head and the tail of what is long, and shows all of it when asked to', () => {
    const command = Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n');
    const cut = render({ arguments: { command } });
    expect(cut.isCut).toBe(true);
    expect(cut.text).toContain('│ line 0\n');
    expect(cut.text).toContain('│ line 299\n');
    expect(cut.text).toContain('(the middle is not shown, of 300 lines, 2589 characters: v shows all of it)');
    expect(cut.text).not.toContain('line 150');
    const whole = render({ arguments: { command } }, { columns: 60, whole: true });
    expect(whole.isCut).toBe(false);
    expect(whole.text).toContain('│ line 150\n');
  });

  it('never writes a line that the terminal would wrap, and loses nothing in cutting it', () => {
    const command = `${'z'.repeat(500)}${'宽'.repeat(200)} ${'\x1b'.repeat(50)}`;
    const { text } = render({ arguments: { command } }, { columns: 60, whole: true });
    const widths = text.split('\n').map((line) => line.length + (line.match(/宽/g)?.length ?? 0));
    expect(Math.max(...widths)).toBeLessThanOrEqual(60);
    expect(text.match(/z/g)).toHaveLength(500);
    expect(text.match(/宽/g)).toHaveLength(200);
  });

  it('keeps the name of an argument from saying anything', () => {
    const { text } = render({ arguments: { 'x\n  1 y  ok': 1, ['k'.repeat(500)]: 1 } });
    expect(text).toContain('  arguments\n    │ {\n    │   "x\\n  1 y  ok": 1,');
  });

  it('shows many arguments as one JSON text', () => {
    const args = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, index]));
    const { text } = render({ arguments: args });
    expect(text).toContain('  arguments\n    │ {\n');
    expect(text).toContain('    │   "k29": 29\n    │ }\n');
  });

  it('is done with a huge argument at once', () => {
    const start = performance.now();
    const { isCut, text } = render({ arguments: { a: 'x'.repeat(5_000_000), b: '\n'.repeat(1_000_000) } });
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(isCut).toBe(true);
    expect(text.length).toBeLessThan(10_000);
  });
});
