// A model of the AI SDK in our loop: any provider that it has an adapter for can be the agent of a step.
import { MockLanguageModelV3 } from 'ai/test';
import { createContainer, createTool, TOKENS } from 'toolgate';
import { AiSdkAgent } from 'toolgate/ai-sdk';

const now = { tool: createTool({ name: 'now', description: 'What time it is' }), run: () => 'It is noon.' };
const container = await createContainer({ approve: ['now'] });
container.bind(TOKENS.ToolHandler).toConstantValue(now);

// Yours would be openai('gpt-5') or any other model of the AI SDK, and need no `stream: false`.
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const call = { type: 'tool-call', toolCallId: 'a', toolName: 'now', input: '{}' };
const model = new MockLanguageModelV3({
  doGenerate: [
    { content: [call], finishReason: { unified: 'tool-calls' }, usage, warnings: [] },
    { content: [{ type: 'text', text: 'Noon.' }], finishReason: { unified: 'stop' }, usage, warnings: [] },
  ],
});
const agent = new AiSdkAgent(model, { stream: false });

const { signal } = new AbortController();
const tools = await container.get(TOKENS.ToolSource).open({ workspace: process.cwd() }, { signal });
const messages = [{ role: 'user', content: 'What time is it?' }];
const run = container.get(TOKENS.ToolOrchestrator).run({ step: 'ask', agent, messages, tools }, { signal });
for await (const event of run) if (event.type === 'step-end') console.log(event.state.output);
