// A tool of your own, an agent from a list, a gate that says yes: the loop in a program of ten lines.
import { createContainer, createTool, TOKENS } from 'toolgate';
import { ScriptedAgent, ScriptedApprovalGate } from 'toolgate/testing';

const parameters = { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] };
const greet = { tool: createTool({ name: 'greet', parameters }), run: ({ who }) => `Hello, ${who}!` };

const container = await createContainer();
container.bind(TOKENS.ToolHandler).toConstantValue(greet);
container.rebind(TOKENS.ApprovalGate).toConstantValue(new ScriptedApprovalGate(['approve']));

const { signal } = new AbortController();
const tools = await container.get(TOKENS.ToolSource).open({ workspace: process.cwd() }, { signal });
const agent = new ScriptedAgent([
  { calls: [{ name: 'greet', arguments: { who: 'world' } }] },
  { text: 'Done.' },
]);
const messages = [{ role: 'user', content: 'Greet the world.' }];

for await (const event of container
  .get(TOKENS.ToolOrchestrator)
  .run({ step: 'hi', agent, messages, tools }, { signal })) {
  if (event.type === 'call-end') console.log(event.result.output);
}
