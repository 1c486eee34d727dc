import { describe, expect, it } from '@jest/globals';
import { createCommandAgent } from '../../src/container/command-provider.js';
import type { JsonObject } from '../../src/domain/json.js';

const { signal } = new AbortController();

async function answer(options: JsonObject): Promise<string> {
  const { message } = await createCommandAgent(options).complete(
    { messages: [{ role: 'user', content: 'hi' }], tools: [], options },
    { signal },
  );
  return message.content;
}

describe('the provider "command"', () => {
  it.each([
    ['a program', 'printf %s {{options.model}}'],
    ['a shell script', 'cat > /dev/null; printf %s "{{options.model}}" | cat'],
  ])('makes one argument of a value, for %s', async (_what, command) => {
    const model = `a b; touch /tmp/never $(id) "' \`id\``;
    expect(await answer({ command, model })).toBe(model);
  });

  it.each([
    ['no command', {}, 'WORKFLOW.PROVIDER.INVALID_OPTIONS', 'needs `command`'],
    [
      'a command that is no text',
      { command: ['cat'] },
      'WORKFLOW.PROVIDER.INVALID_OPTIONS',
      'needs `command`',
    ],
    [
      'a time that is none',
      { command: 'cat', timeout: 'soon' },
      'WORKFLOW.PROVIDER.INVALID_OPTIONS',
      '`timeout`',
    ],
    ['a program that is not there', { command: 'no-such-model' }, 'USER.FILE.NOT_FOUND', 'no folder of PATH'],
    [
      'an option that is not there',
      { command: 'cat {{options.model}}' },
      'WORKFLOW.TEMPLATE.MISSING_VALUE',
      'model',
    ],
    ['an input', { command: 'cat {{inputs.x}}' }, 'WORKFLOW.TEMPLATE.UNKNOWN_NAME', '{{options.…}}'],
    [
      'a value in the place of the program',
      { command: '{{options.model}} run', model: 'cat' },
      'WORKFLOW.TOOL.UNSAFE_TEMPLATE',
      'cannot be filled in safely',
    ],
    [
      'a value that reads as an option',
      { command: 'cat {{options.model}}', model: '-rf' },
      'USER.INPUT.INVALID',
      'dash',
    ],
  ])('refuses %s before the run starts', (_what, options, code, words) => {
    expect(() => createCommandAgent(options)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(words) }),
    );
  });
});
