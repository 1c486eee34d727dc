import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { previewOf } from '../../../src/infrastructure/approval/preview.js';
import { renderPreview } from '../../../src/infrastructure/approval/render-preview.js';
import { contextWith, requestFor } from '../../support/fake-terminal.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const NARROW = { columns: 60, rows: 40, whole: false, isColoured: false };
const WHOLE = { ...NARROW, whole: true };

async function render(more: Parameters<typeof requestFor>[0], layout = NARROW): Promise<string> {
  return renderPreview(await previewOf(requestFor(more), contextWith()), layout);
}

describe('renderPreview', () => {
  it('shows a command argument by argument, where it runs and what holds it', async () => {
    const action = {
      kind: 'process',
      argv: ['/usr/bin/git', 'commit', '-m', 'two words '],
      cwd: '/project/project',
      script: 'git commit -m "two words "',
      unconfined: true,
    } as const;
    expect(await render({ action, arguments: { message: 'two words ' } })).toBe(
      [
        '',
        'May the agent use "shell"?',
        '  asked by          │ scripted · step fix · call_001',
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

  it('shows the file that would be written, with its size and its new content line by line', async () => {
    const action = { kind: 'write-file', path: '/project/a.ts', bytes: 12, append: false } as const;
    const text = await render({ action, arguments: { path: 'x/../a.ts', content: 'one\n\ttwo\n', mode: 7 } });
    expect(text).toContain('  writes 12 bytes to\n    │ /project/a.ts\n');
    expect(text).toContain('  argument content\n    │ one\n    │ →   two\n    │ \n');
    expect(text).toContain('  argument mode     │ 7\n');
    expect(await render({ action: { ...action, append: true } })).toContain('appends 12 bytes to');
  });

  it('shows method and address of a request, and the file that would be read', async () => {
    const http = { kind: 'http', method: 'POST', url: 'https://a.example/' } as const;
    expect(await render({ action: http })).toContain('sends             │ POST https://a.example/');
    expect(await render({ action: { kind: 'read-file', path: '/etc/hosts' } })).toContain('│ /etc/hosts');
  });

  it('keeps the head and the tail of what is long, and shows all of it when asked to', async () => {
    const command = Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n');
    const cut = await render({ arguments: { command } });
    expect(cut).toContain('│ line 0\n');
    expect(cut).toContain('│ line 299\n');
    expect(cut).toContain('(the middle is not shown, of 300 lines, 2589 characters: v shows all of it)');
    expect(cut).not.toContain('line 150');
    expect(await render({ arguments: { command } }, WHOLE)).toContain('│ line 150\n');
  });

  it('never writes a line that the terminal would wrap, and loses nothing in cutting it', async () => {
    const command = `${'z'.repeat(500)}${'宽'.repeat(200)} ${'\x1b'.repeat(50)}`;
    const text = await render({ arguments: { command } }, WHOLE);
    const widths = text.split('\n').map((line) => line.length + (line.match(/宽/g)?.length ?? 0));
    expect(Math.max(...widths)).toBeLessThanOrEqual(60);
    expect(text.match(/z/g)).toHaveLength(500);
    expect(text.match(/宽/g)).toHaveLength(200);
  });

  it('keeps the name of an argument from saying anything', async () => {
    const text = await render({ arguments: { 'x\n  1 y  ok': 1, ['k'.repeat(500)]: 1 } });
    expect(text).toContain('  arguments\n    │ {\n    │   "x\\n  1 y  ok": 1,');
  });

  it('shows many arguments as one JSON text', async () => {
    const args = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, index]));
    const text = await render({ arguments: args });
    expect(text).toContain('  arguments\n    │ {\n');
    expect(text).toContain('    │   "k29": 29\n    │ }\n');
  });

  it('makes little of a huge argument', async () => {
    const text = await render({ arguments: { a: 'x'.repeat(5_000_000), b: '\n'.repeat(1_000_000) } });
    expect(text.length).toBeLessThan(10_000);
  });

  it('tells what is added from what is removed by colour, and by nothing that the content brings', async () => {
    const path = join(temporaryFolder(), 'a.txt');
    writeFileSync(path, 'old\nsame\n');
    const content = 'new \x1b[31m\nsame\n';
    const action = { kind: 'write-file', path, bytes: Buffer.byteLength(content), append: false } as const;
    const more = { action, arguments: { path, content } };
    const coloured = await render(more, { ...NARROW, isColoured: true });
    expect(coloured).toContain(
      '    │ \x1b[31m- old\x1b[39m\n    │ \x1b[32m+ new \\u{1b}[31m\x1b[39m\n    │   same\n',
    );
    expect(await render(more)).toBe(coloured.replaceAll(/\x1b\[\d+m/g, ''));
  });

  it('cuts more where the screen is small, and never the tail', async () => {
    const command = Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n');
    const low = await render({ arguments: { command } }, { ...NARROW, rows: 10 });
    expect(low.match(/│ line/g)).toHaveLength(8);
    expect(low).toContain('│ line 299\n');
  });

  it.each([20, 12, 9])('keeps every line behind its gutter in %i columns', async (columns) => {
    const command = `${'x'.repeat(50)}宽宽宽  1 y  yes`;
    const text = await render({ arguments: { command } }, { ...NARROW, columns });
    const lines = text.split('\n').filter((line) => line.includes('│'));
    expect(lines.every((line) => /^ {4}│/.test(line) && line.length <= columns)).toBe(true);
  });

  it('says until when there is time to answer', async () => {
    const context = { ...contextWith(), deadline: new Date(2026, 2, 1, 14, 5, 9).getTime() };
    expect(renderPreview(await previewOf(requestFor(), context), NARROW)).toContain(
      '  answer by         │ 2026-03-01 14:05:09\n',
    );
  });
});
