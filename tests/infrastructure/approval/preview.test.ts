import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../src/domain/json.js';
import { type PreviewSection, previewOf } from '../../../src/infrastructure/approval/preview.js';
import { previewLines } from '../../../src/infrastructure/approval/preview-lines.js';
import { contextWith, requestFor } from '../../support/fake-terminal.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

async function sectionsOf(more: Parameters<typeof requestFor>[0]): Promise<readonly PreviewSection[]> {
  return (await previewOf(requestFor(more), contextWith())).sections;
}

/** The sections of a write, as lines: `label | sign text`. */
async function written(
  path: string,
  content: string,
  more: { readonly append?: boolean; readonly arguments?: JsonObject } = {},
): Promise<string[]> {
  const { append = false } = more;
  const action = { kind: 'write-file', path, bytes: Buffer.byteLength(content), append } as const;
  const sections = await sectionsOf({ action, arguments: { path, content, ...more.arguments } });
  return sections
    .slice(1)
    .flatMap((section) => previewLines(section).map(({ mark, text }) => `${section.label}|${mark}${text}`));
}

function fileWith(content: string | Buffer): string {
  const path = join(temporaryFolder(), 'file.txt');
  writeFileSync(path, content);
  return path;
}

describe('previewOf', () => {
  it('says who asks, why, and until when there is time', async () => {
    const context = { ...contextWith(), deadline: 1234 };
    expect(await previewOf(requestFor(), context)).toEqual({
      question: 'May the agent use "shell"?',
      tool: 'shell',
      planHash: 'hash-1',
      agent: 'scripted',
      step: 'fix',
      callId: 'call_001',
      reason: { kind: 'policy', text: '"shell" has approval: prompt' },
      deadline: 1234,
      sections: [],
    });
  });

  it('is plain data', async () => {
    const preview = await previewOf(requestFor({ arguments: { a: [1, { b: null }] } }), contextWith());
    expect(JSON.parse(JSON.stringify(preview))).toEqual(preview);
  });

  it('shows a command word by word, as it was written, and where it runs', async () => {
    const action = {
      kind: 'process',
      argv: ['/bin/echo', '', 'a\nb'],
      cwd: '/w',
      script: 'echo "" x',
    } as const;
    const sections = await sectionsOf({ action, arguments: { command: 'echo "" x', note: 'mine' } });
    expect(sections).toEqual([
      { label: 'runs', kind: 'argv', items: ['/bin/echo', '', 'a\nb'] },
      { label: 'command line', kind: 'text', text: 'echo "" x' },
      { label: 'in', kind: 'list', items: ['/w'] },
      { label: 'argument note', kind: 'text', text: 'mine' },
    ]);
  });

  it('keeps an argument that is not what was planned', async () => {
    const action = { kind: 'read-file', path: '/w/a' } as const;
    expect(await sectionsOf({ action, arguments: { path: '/w/a' } })).toHaveLength(1);
    expect(await sectionsOf({ action, arguments: { path: 'x/../a' } })).toContainEqual(
      expect.objectContaining({ label: 'argument path', text: 'x/../a' }),
    );
  });

  it('shows headers and body of a request', async () => {
    const action = { kind: 'http', method: 'POST', url: 'https://a.example/' } as const;
    const args = { method: 'POST', url: 'https://a.example', headers: { a: '1', b: 'x\ny' }, body: 'hi' };
    expect(await sectionsOf({ action, arguments: args })).toEqual([
      { label: 'sends', kind: 'list', items: ['POST https://a.example/'] },
      { label: 'headers', kind: 'list', items: ['a: 1', 'b: x\ny'] },
      { label: 'body', kind: 'text', text: 'hi' },
      { label: 'argument url', kind: 'text', text: 'https://a.example' },
    ]);
    const odd = { headers: [1], body: { json: true } };
    expect((await sectionsOf({ action, arguments: odd })).map(({ label }) => label)).toEqual([
      'sends',
      'argument headers',
      'argument body',
    ]);
  });
});

describe('previewOf a file that would be written', () => {
  it('shows a new file as added lines', async () => {
    const path = join(temporaryFolder(), 'new.txt');
    expect(await written(path, 'one\ntwo\n')).toEqual([
      'changes|the file is not there yet',
      'change|@@ -0,0 +1,2 @@',
      'change|+ one',
      'change|+ two',
    ]);
    expect(await written(path, '')).toEqual(['changes|the file is not there yet']);
  });

  it('shows what changes, with three lines around it', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
    const path = fileWith(`${lines.join('\n')}\n`);
    expect(await written(path, `${lines.with(9, 'ten').join('\n')}\n`)).toEqual([
      'change|@@ -7,7 +7,7 @@',
      'change|  line 7',
      'change|  line 8',
      'change|  line 9',
      'change|- line 10',
      'change|+ ten',
      'change|  line 11',
      'change|  line 12',
      'change|  line 13',
    ]);
  });

  it('shows what is appended where it would stand, also behind half a line', async () => {
    expect(await written(fileWith('a\n'), 'b\n', { append: true })).toEqual([
      'change|@@ -1,1 +1,2 @@',
      'change|  a',
      'change|+ b',
    ]);
    expect(await written(fileWith('rm '), '-rf /', { append: true })).toEqual([
      'change|@@ -1,1 +1,1 @@',
      'change|- rm ',
      'change|\\ no line feed at the end of the file',
      'change|+ rm -rf /',
      'change|\\ no line feed at the end of the file',
    ]);
  });

  it('tells line ends apart', async () => {
    expect(await written(fileWith('a\r\nb\r\n'), 'a\nb\r\n')).toEqual([
      'change|@@ -1,2 +1,2 @@',
      'change|- a\r',
      'change|+ a',
      'change|  b\r',
    ]);
    expect(await written(fileWith('a\n'), 'a')).toEqual([
      'change|@@ -1,1 +1,1 @@',
      'change|- a',
      'change|+ a',
      'change|\\ no line feed at the end of the file',
    ]);
  });

  it('cannot be made to take a line of the file for a sign of its own', async () => {
    const forged = '\\ No newline at end of file\n@@ -1 +1 @@\n+x\n';
    expect(await written(fileWith('a\n'), forged)).toEqual([
      'change|@@ -1,1 +1,3 @@',
      'change|- a',
      'change|+ \\ No newline at end of file',
      'change|+ @@ -1 +1 @@',
      'change|+ +x',
    ]);
  });

  it('says when nothing changes', async () => {
    expect(await written(fileWith('same'), 'same')).toEqual(['changes|nothing: the file holds this already']);
  });

  it.each([
    ['a NUL', Buffer.from('a\0b')],
    ['broken UTF-8', Buffer.from([0x61, 0xff, 0xfe])],
  ])('says that the file is no text (%s), and shows the content', async (_, bytes) => {
    expect(await written(fileWith(bytes), 'new')).toEqual([
      expect.stringMatching(/^changes\|the present file is no text \(3 bytes\)/),
      'content|new',
    ]);
  });

  it('says that the file, or the content, is too long to be compared', async () => {
    const path = fileWith('');
    truncateSync(path, 3_000_000);
    expect((await written(path, 'new'))[0]).toBe('changes|the present file is too long (3000000 bytes)');
    const long = await written(fileWith('a'), 'x'.repeat(1_100_000));
    expect(long[0]).toBe('changes|the content is too long to be compared');
    expect(long[1]).toHaveLength('content|'.length + 1_100_000);
  });

  it('shows as replaced what is too different, or too long, to be compared line by line', async () => {
    for (const count of [3_000, 60_000]) {
      const many = (word: string) => Array.from({ length: count }, () => word).join('\n');
      const lines = await written(fileWith(`a\n${many('old')}\nz`), `a\n${many('new')}\nz`);
      expect(lines.slice(0, 3)).toEqual([
        `change|@@ -1,${count + 2} +1,${count + 2} @@`,
        'change|  a',
        'change|- old',
      ]);
      expect(lines.slice(-3)).toEqual([
        'change|+ new',
        'change|  z',
        'change|\\ no line feed at the end of the file',
      ]);
      expect(lines).toHaveLength(2 * count + 4);
    }
  });

  it('follows no link, waits for no pipe and reads no folder', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'secret'), 'TOP SECRET');
    symlinkSync(join(folder, 'secret'), join(folder, 'link'));
    mkdirSync(join(folder, 'folder'));
    symlinkSync(folder, join(folder, 'folder', 'way'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const name of ['link', 'pipe', 'folder', 'folder/way/secret']) {
      const lines = await written(join(folder, name), 'new');
      expect([name, lines.at(-1), lines.length]).toEqual([name, 'content|new', 2]);
    }
  });

  it('shows the arguments of a tool that calls something else its content', async () => {
    const action = { kind: 'write-file', path: '/w/a', bytes: 99, append: false } as const;
    const sections = await sectionsOf({ action, arguments: { content: 'short' } });
    expect(sections.map(({ label }) => label)).toEqual(['writes 99 bytes to', 'argument content']);
  });
});
