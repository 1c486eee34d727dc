import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../src/domain/json.js';
import { readFileTool } from '../../src/infrastructure/tools/file-tool.js';
import { httpTool } from '../../src/infrastructure/tools/http-tool.js';
import { shellTool } from '../../src/infrastructure/tools/shell-tool.js';
import { AjvArgumentValidator } from '../../src/infrastructure/validation/ajv-argument-validator.js';

const validator = new AjvArgumentValidator();
const tools = { shell: shellTool().tool, read_file: readFileTool().tool, http_request: httpTool().tool };
type Name = keyof typeof tools;

/** Arguments reach the gate as text from one provider and as data from the next; neither may get more through. */
function problemsOf(name: Name, raw: string): readonly string[] {
  const asText = validator.validate(tools[name], raw);
  if (asText.ok) throw new Error(`accepted ${raw}`);
  let data: Json;
  try {
    data = JSON.parse(raw) as Json;
  } catch {
    return asText.problems;
  }
  const asData = validator.validate(tools[name], data);
  return asData.ok ? asText.problems : asData.problems;
}

describe('arguments that must not pass', () => {
  it.each<[string, Name, string]>([
    ['prototype as an own key', 'shell', '{"command":"ls","__proto__":{"approval":"auto"}}'],
    ['constructor', 'shell', '{"constructor":{"prototype":{"shell":true}},"command":"ls"}'],
    ['prototype further down', 'http_request', '{"url":"http://a","headers":{"__proto__":{"x":"y"}}}'],
    ['escaped prototype', 'shell', '{"command":"ls","__pro\\u0074o__":{}}'],
    ['duplicate keys', 'shell', '{"command":"ls","command":"rm -rf ~"}'],
    ['duplicate keys, one escaped', 'shell', '{"command":"ls","c\\u006fmmand":"rm -rf ~"}'],
    ['duplicate keys further down', 'http_request', '{"url":"http://a","headers":{"a":"1","a":"2"}}'],
    ['object for a text', 'shell', '{"command":{"toString":"x"}}'],
    ['array for a text', 'shell', '{"command":["rm","-rf","~"]}'],
    ['number for a text', 'shell', '{"command":7}'],
    ['null for a text', 'shell', '{"command":null}'],
    ['working directory', 'shell', '{"command":"ls","cwd":"/"}'],
    ['environment', 'shell', '{"command":"ls","env":{"LD_PRELOAD":"x"}}'],
    ['shell', 'shell', '{"command":"ls","shell":"/tmp/evil"}'],
    ['infinite number', 'shell', '{"command":"ls","timeout":1e309}'],
    ['infinite number for a known key', 'read_file', '{"path":"a","limit":1e309}'],
    ['negative line', 'read_file', '{"path":"a","offset":-1}'],
    ['deep nesting', 'shell', '['.repeat(100_000)],
    ['deep nesting that is complete', 'shell', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['deep objects', 'shell', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
    ['comment', 'shell', '{"command":"ls" /* c */}'],
    ['trailing comma', 'shell', '{"command":"ls",}'],
    ['single quotes', 'shell', "{'command':'ls'}"],
    ['two documents', 'shell', '{"command":"ls"}{"command":"rm"}'],
    ['key in another case', 'read_file', '{"path":"a","Path":"/etc/passwd"}'],
    ['key with a zero-width character', 'read_file', '{"path":"a","path\\u200b":"/etc/passwd"}'],
    [
      'XML with a parameter twice',
      'shell',
      '<invoke name="shell"><parameter name="command">ls</parameter></invoke>',
    ],
    ['XML with an entity', 'shell', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'],
    ['empty command', 'shell', '{"command":""}'],
    ['nothing', 'shell', '{}'],
  ])('%s', (_what, name, raw) => {
    const began = performance.now();
    expect(problemsOf(name, raw).length).toBeGreaterThan(0);
    expect(performance.now() - began).toBeLessThan(1000);
    expect(({} as Record<string, unknown>).approval).toBeUndefined();
    expect(({} as Record<string, unknown>).shell).toBeUndefined();
  });

  it('refuses what is no plain data, however it got here', () => {
    class Sly {
      command = 'ls';
    }
    for (const args of [new Sly(), new Map(), new Date(), { command: () => 'ls' }, { command: 1n }]) {
      expect(validator.validate(tools.shell, args as unknown as Json).ok).toBe(false);
    }
    const inherited = Object.create({ command: 'ls' }) as Json;
    expect(validator.validate(tools.shell, inherited).ok).toBe(false);
  });

  it('takes no argument from a polluted prototype', () => {
    const polluted = Object.prototype as unknown as Record<string, unknown>;
    polluted.command = 'rm -rf ~';
    try {
      expect(validator.validate(tools.shell, {})).toMatchObject({ ok: false });
    } finally {
      delete polluted.command;
    }
  });
});

describe('arguments that must arrive exactly', () => {
  it.each<[string, Name, string, object]>([
    ['lone surrogate', 'shell', '{"command":"\\ud800"}', { command: '\ud800' }],
    ['text that looks like JSON', 'read_file', '{"path":"{\\"$ref\\":\\"x\\"}"}', { path: '{"$ref":"x"}' }],
    [
      'text that looks like XML',
      'shell',
      '{"command":"echo &lt;a&gt; &amp;amp;"}',
      { command: 'echo &lt;a&gt; &amp;amp;' },
    ],
    [
      'text that looks like a template',
      'shell',
      '{"command":"{{inputs.secret}}"}',
      { command: '{{inputs.secret}}' },
    ],
    ['text with the name of a prototype', 'shell', '{"command":"__proto__"}', { command: '__proto__' }],
    ['control characters', 'shell', '{"command":"a\\u0000\\u001b[31m"}', { command: 'a\0\u001b[31m' }],
    ['whole number written long', 'read_file', '{"path":"a","limit":1e2}', { path: 'a', limit: 100 }],
  ])('%s', (_what, name, raw, args) => {
    expect(validator.validate(tools[name], raw)).toEqual({ ok: true, arguments: args });
    expect(validator.validate(tools[name], JSON.parse(raw) as Json)).toEqual({ ok: true, arguments: args });
  });
});
