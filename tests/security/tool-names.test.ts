import { describe, expect, it } from '@jest/globals';
import { prepareCall } from '../../src/application/prepare-call.js';
import { shellTool } from '../../src/infrastructure/tools/shell-tool.js';
import { AjvArgumentValidator } from '../../src/infrastructure/validation/ajv-argument-validator.js';
import { FakeToolCalls } from '../support/fake-tool-call.js';

const calls = new FakeToolCalls();
const scope = {
  tools: new Map([['shell', calls.entry(shellTool())]]),
  executor: calls.executor,
  validator: new AjvArgumentValidator(),
  signal: new AbortController().signal,
  remember: () => undefined,
};
const prepare = (name: string) => prepareCall({ id: '1', name, arguments: { command: 'ls' } }, scope);

describe('calls by a name that is not a tool', () => {
  it.each(['toString', '__proto__', 'constructor', 'hasOwnProperty', 'Shell', 'shell\u200b', ' shell', ''])(
    'are refused: %p',
    async (name) => {
      expect(await prepare(name)).toMatchObject({
        verdict: 'refuse',
        failure: { code: 'EXECUTION.CALL.UNKNOWN_TOOL' },
      });
    },
  );

  it('and by a name that is one are asked about', async () => {
    expect(await prepare('shell')).toMatchObject({ verdict: 'review' });
  });
});
