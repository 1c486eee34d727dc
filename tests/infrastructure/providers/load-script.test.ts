import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadScript } from '../../../src/infrastructure/providers/load-script.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

function load(content: string | Uint8Array) {
  const file = join(temporaryFolder(), 'script.yaml');
  writeFileSync(file, content);
  return loadScript(file);
}

/** The message without the folder's name. */
async function problemOf(content: string | Uint8Array): Promise<string> {
  try {
    await load(content);
  } catch (error) {
    expect(error).toMatchObject({ code: 'WORKFLOW.SCRIPT.INVALID' });
    return (error as Error).message.replace(/[^\n]*?script\.yaml/g, 'script.yaml');
  }
  return 'no problem';
}

describe('loadScript', () => {
  it('reads a script with everything in it', async () => {
    const script = await load(`
tool_protocol: native
replies:
  - expect: { contains: [mend, project] }
    text: I look.
    tool_calls:
      - { name: read_file, arguments: { path: a.js } }
      - { id: mine, name: shell, arguments: "broken {" }
      - { name: run_tests }
    usage: { input_tokens: 10, output_tokens: 5, cost_usd: 0.01 }
    delay: 50ms
  - expect: { contains: pass, tool_results: [{ tool: shell, is_error: true, contains: no }, {}] }
    error: { message: overloaded }
steps:
  review: { replies: [{ text: fine, delay: 1.5s }] }
`);
    expect(script).toEqual({
      file: expect.stringContaining('script.yaml'),
      toolProtocol: 'native',
      replies: [
        {
          expect: { contains: ['mend', 'project'] },
          text: 'I look.',
          calls: [
            { name: 'read_file', arguments: { path: 'a.js' } },
            { id: 'mine', name: 'shell', arguments: 'broken {' },
            { name: 'run_tests', arguments: {} },
          ],
          usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.01 },
          delayMs: 50,
        },
        {
          expect: {
            contains: ['pass'],
            toolResults: [{ tool: 'shell', contains: ['no'], isError: true }, { contains: [] }],
          },
          text: '',
          calls: [],
          error: 'overloaded',
          delayMs: 0,
        },
      ],
      steps: new Map([['review', [{ text: 'fine', calls: [], delayMs: 1_500 }]]]),
    });
  });

  it.each([
    ['an empty file', '', 'script.yaml:1:1: the file is missing: it must be a mapping'],
    ['a list', '- a', 'script.yaml:1:1: the file must be a mapping, not a list'],
    ['nothing to say', 'tool_protocol: text', 'script.yaml:1:1: the file needs "replies" (or "steps")'],
    ['another key', 'replies: []\nreplys: []', 'script.yaml:2:9: replys is not known; did you mean replies?'],
    [
      'an empty reply',
      'replies:\n  - {}',
      'script.yaml:2:5: replies[0] needs "text", "tool_calls" or "error"',
    ],
    ['a number for text', 'replies: [{ text: 1 }]', 'script.yaml:1:19: replies[0].text must be text, not 1'],
    [
      'a call without a name',
      'replies:\n  - tool_calls:\n      - { id: x }',
      'script.yaml:3:9: replies[0].tool_calls[0].name is missing: it must be text',
    ],
    ['a strange time', 'replies: [{ text: a, delay: soon }]', 'replies[0].delay must be a time like "50ms"'],
    ['a long time', 'replies: [{ text: a, delay: 11m }]', 'ten minutes at most'],
    [
      'a negative amount',
      'replies: [{ text: a, usage: { input_tokens: -1 } }]',
      'must be a number that is not negative, not -1',
    ],
    ['an error without words', 'replies: [{ error: {} }]', 'replies[0].error.message is missing'],
    [
      'another protocol',
      'replies: []\ntool_protocol: xml',
      'tool_protocol must be native or text, not "xml"',
    ],
    [
      'calls beside a text protocol',
      'tool_protocol: text\nreplies: [{ tool_calls: [{ name: x }] }]',
      'write the calls into "text"',
    ],
    ['steps as a list', 'steps: [a]', 'steps must be a mapping, not a list'],
    ['a step without replies', 'steps: { fix: {} }', 'steps.fix.replies is missing'],
    ['a key twice', 'replies: []\nreplies: []', 'script.yaml:2:1: Map keys must be unique'],
    ['broken YAML', 'replies: [', 'script.yaml:1:11: '],
    ['two documents', 'replies: []\n---\na: 1', 'multiple documents'],
    ['a tag', 'replies: [{ text: !evil x }]', 'Unresolved tag: !evil'],
    ['infinity', 'replies: [{ tool_calls: [{ name: x, arguments: { a: .inf } }] }]', 'that JSON cannot hold'],
    ['nesting without end', `replies: ${'['.repeat(100_000)}`, 'script.yaml'],
    ['what is not text', Uint8Array.of(0xff, 0xfe, 0x00), 'script.yaml: is not UTF-8 text'],
    ['too much of it', 'x'.repeat(1_100_000), 'script.yaml: has 1100000 bytes, more than 1048576'],
  ])('refuses %s, and says where', async (_name, content, problem) => {
    expect(await problemOf(content)).toContain(problem);
  });

  it('refuses aliases without end, fast', async () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0 ? '  - &a0 [x, x]' : `  - &a${level} [${`*a${level - 1}, `.repeat(9)}]`,
    );
    const start = performance.now();
    expect(await problemOf(`replies:\n${levels.join('\n')}`)).toContain('alias');
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it('tells all problems at once', async () => {
    const message = await problemOf('replies:\n  - { text: 1, other: 2 }\n  - { delay: x }');
    expect(message.split('\n')).toEqual([
      'script.yaml:2:13: replies[0].text must be text, not 1',
      expect.stringMatching(/^script\.yaml:2:23: replies\[0\]\.other is not known \(known: expect, /),
      'script.yaml:3:5: replies[1] needs "text", "tool_calls" or "error"',
      expect.stringContaining('script.yaml:3:14: replies[1].delay'),
    ]);
    const many = await problemOf(`replies:\n${'  - {}\n'.repeat(50)}`);
    expect(many).toContain('… and 30 more');
  });

  it('says that a file is not there', async () => {
    await expect(loadScript(join(temporaryFolder(), 'none.yaml'))).rejects.toMatchObject({
      code: 'USER.FILE.NOT_FOUND',
    });
  });

  it('hangs neither on a folder nor on a pipe', async () => {
    const folder = temporaryFolder();
    await expect(loadScript(folder)).rejects.toMatchObject({ code: 'WORKFLOW.SCRIPT.INVALID' });
    spawnSync('mkfifo', [join(folder, 'pipe')]);
    await expect(loadScript(join(folder, 'pipe'))).rejects.toThrow('is not a file');
  });

  it('keeps __proto__ an ordinary argument', async () => {
    const script = await load('replies: [{ tool_calls: [{ name: x, arguments: { __proto__: { a: 1 } } }] }]');
    expect(JSON.stringify(script.replies[0]?.calls[0]?.arguments)).toBe('{"__proto__":{"a":1}}');
  });
});
