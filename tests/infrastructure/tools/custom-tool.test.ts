import { describe, expect, it } from '@jest/globals';
import { type CustomToolOptions, customTool } from '../../../src/infrastructure/tools/custom-tool.js';
import { contractSandbox, describeToolHandlerContract } from '../../contracts/tool-handler.contract.js';
import { FakeToolCalls, WORKSPACE } from '../../support/fake-tool-call.js';

const parameters = { properties: { pattern: { type: 'string' } }, required: ['pattern'] };

function search(more: Partial<CustomToolOptions> = {}) {
  return customTool({
    tool: { name: 'search_code', parameters },
    command: "rg '{{args.pattern}}' {{inputs.project_path}}",
    inputs: { project_path: '.' },
    env: {},
    allowDash: [],
    ...more,
  });
}

describeToolHandlerContract('a command tool', () => {
  const handler = search();
  return { handler, arguments: { pattern: 'x' }, sandbox: contractSandbox(handler) };
});

describe('customTool', () => {
  it('is as dangerous as a command is, unless its declaration says otherwise', () => {
    expect(search().tool).toMatchObject({
      name: 'search_code',
      description: "Runs: rg '{{args.pattern}}' {{inputs.project_path}}",
      sideEffects: 'external',
      destructive: true,
      idempotent: false,
      parameters: { additionalProperties: false, required: ['pattern'] },
    });
    expect(search({ tool: { name: 'a', parameters, sideEffects: 'none' } }).tool.destructive).toBe(false);
  });

  it('runs the words it has filled, and shows them before', async () => {
    const calls = new FakeToolCalls();
    calls.sandbox.outcome = { output: 'found' };
    let action: unknown;
    const beforeRun = ({ plan }: { plan: { action: unknown } }) => {
      action = plan.action;
    };
    const result = await calls.call(search(), { pattern: '$(id)' }, { beforeRun });
    expect(result).toMatchObject({ success: true, output: 'found' });
    expect(action).toEqual({ kind: 'process', argv: ['rg', '$(id)', '.'], cwd: WORKSPACE });
    expect(calls.sandbox.runs[0]?.plan.argv).toEqual(['rg', '$(id)', '.']);
  });

  it('shows the script where there is one', async () => {
    const calls = new FakeToolCalls();
    const tests = search({ command: 'cd {{inputs.project_path}} && npm test' });
    const call = { id: '1', tool: 'search_code', arguments: { pattern: '' } };
    const { plan } = await calls.executor.plan(calls.entry(tests), call, calls.context());
    expect(plan.action).toMatchObject({
      argv: ['/bin/sh', '-c', 'cd "$1" && npm test', 'sh', '.'],
      script: 'cd "$1" && npm test',
    });
  });

  it('refuses a value while it plans, so that nobody is asked about it', async () => {
    const calls = new FakeToolCalls();
    await expect(calls.call(search(), { pattern: '--pre=sh' })).rejects.toMatchObject({
      code: 'EXECUTION.SANDBOX.DENIED',
    });
    expect(calls.sandbox.planned).toBe(0);
  });

  it('refuses to allow a dash for a parameter it has not', () => {
    expect(() => search({ allowDash: ['patern'] })).toThrow('"patern", which is none of its parameters');
  });
});
