// A user's program: it imports the packed package, swaps two adapters, adds a tool, and runs the loop.
import { createContainer, createTool, TOKENS } from 'toolgate';
import { FakeSandbox, ScriptedAgent, ScriptedApprovalGate } from 'toolgate/testing';
import { parseToolCalls } from 'toolgate/toolparse';

class Uptime {
  tool = createTool({ name: 'uptime', description: 'How long this machine has been up' });
  async run(_args, { sandbox }) {
    const { output } = await sandbox.runProcess({ kind: 'argv', argv: ['uptime'] });
    return output;
  }
}

const container = await createContainer();
container.bind(TOKENS.ToolHandler).to(Uptime);
const gate = new ScriptedApprovalGate(['approve']);
container.rebind(TOKENS.ApprovalGate).toConstantValue(gate);
const sandbox = new FakeSandbox(() => ({ output: 'up 3 days' }));
container.rebind(TOKENS.Sandbox).toConstantValue(sandbox);

const { signal } = new AbortController();
const tools = await container.get(TOKENS.ToolSource).open({ workspace: process.cwd() }, { signal });
const agent = new ScriptedAgent([
  { calls: [{ name: 'uptime' }] },
  { text: 'It has been up for three days.' },
]);
const messages = [{ role: 'user', content: 'Is it up?' }];
const run = container.get(TOKENS.ToolOrchestrator).run({ step: 'ask', agent, messages, tools }, { signal });
let next = await run.next();
while (!next.done) next = await run.next();

console.log(
  JSON.stringify({
    output: next.value.output,
    result: next.value.toolCalls[0].result.output,
    approval: next.value.toolCalls[0].result.approval,
    asked: gate.requests.length,
    planned: sandbox.plans.map(({ argv }) => argv),
    parsed: parseToolCalls('<tool_call>{"name":"uptime","arguments":{}}</tool_call>').calls[0].name,
  }),
);
