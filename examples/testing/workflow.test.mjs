// Tests without a model, a person or a process: node --test examples/testing/workflow.test.mjs
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createContainer, loadWorkflow, TOKENS } from 'toolgate';
import {
  describeToolHandlerContract,
  FakeSandbox,
  MemoryJournal,
  ScriptedAgent,
  ScriptedApprovalGate,
} from 'toolgate/testing';
import { WordCount } from '../library/word-count-tool.mjs';

// Jest and Vitest (with `globals: true`) have these as globals; node:test does not.
Object.assign(globalThis, { describe, it });

const bytes = new TextEncoder().encode('one two three');
const sandbox = {
  resolvePath: async (path) => ({ path: `/notes/${path}` }),
  readFile: async () => ({ bytes, totalBytes: bytes.length }),
};
describeToolHandlerContract('WordCount', () => ({
  handler: new WordCount(),
  arguments: { path: 'a.md' },
  sandbox,
}));

const file = fileURLToPath(new URL('workflow.yaml', import.meta.url));
const request = { workflow: await loadWorkflow(file), inputs: {}, workspace: process.cwd(), env: {} };

async function runWith({
  agent,
  gate,
  sandbox: processes = new FakeSandbox(),
  journal = new MemoryJournal(),
}) {
  const container = await createContainer();
  container.rebind(TOKENS.AgentProviders).toConstantValue(agent); // a ScriptedAgent is every provider
  container.rebind(TOKENS.ApprovalGate).toConstantValue(gate);
  container.rebind(TOKENS.Sandbox).toConstantValue(processes);
  container.rebind(TOKENS.RunJournal).toConstantValue(journal);
  const run = container.get(TOKENS.WorkflowRunner).run(request, { signal: new AbortController().signal });
  let next = await run.next();
  while (!next.done) next = await run.next();
  return next.value;
}

describe('the deploy workflow', () => {
  const agent = () =>
    new ScriptedAgent([
      { calls: [{ name: 'deploy', arguments: { target: 'staging' } }] },
      ({ messages }) => ({ text: `I was told: ${messages.at(-1).results[0].output}` }),
    ]);

  it('deploys what a person approved', async () => {
    const gate = new ScriptedApprovalGate(['approve']);
    const processes = new FakeSandbox(() => ({ output: 'deployed' }));
    const { status, states } = await runWith({ agent: agent(), gate, sandbox: processes });
    assert.equal(status, 'success');
    assert.equal(states.get('deploy').output, 'I was told: deployed');
    assert.equal(gate.requests[0].plan.tool, 'deploy');
    assert.equal(processes.plans[0].argv.at(-1), 'https://deploy.example.com/staging');
  });

  it('starts nothing when the person says no', async () => {
    const processes = new FakeSandbox();
    const journal = new MemoryJournal();
    const gate = new ScriptedApprovalGate([{ kind: 'denied', reason: 'not on a Friday' }]);
    const { states, runId } = await runWith({ agent: agent(), gate, sandbox: processes, journal });
    assert.equal(states.get('deploy').output, 'I was told: Denied: not on a Friday');
    assert.deepEqual(processes.plans, []);
    const records = await journal.read(runId);
    assert.deepEqual([records.at(0).type, records.at(-1).type], ['run-started', 'run-ended']);
  });

  it('fails on a process that fails', async () => {
    const gate = new ScriptedApprovalGate(['approve']);
    const processes = new FakeSandbox(() => ({ exitCode: 1, output: 'no route to host' }));
    const { states } = await runWith({ agent: agent(), gate, sandbox: processes });
    const [{ result }] = states.get('deploy').toolCalls;
    assert.deepEqual(result.error, { code: 'EXECUTION.TOOL.EXIT_CODE', message: 'exit code 1' });
  });
});
