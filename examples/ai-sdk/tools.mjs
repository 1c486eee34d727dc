// Our gate in somebody else's loop: generateText calls tools that are validated, approved, sandboxed and recorded.
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { createContainer, createTool, TOKENS } from 'toolgate';
import { toAiSdkTools } from 'toolgate/ai-sdk';

const parameters = { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] };
const greet = { tool: createTool({ name: 'greet', parameters }), run: ({ who }) => `Hello, ${who}!` };

const container = await createContainer({ approve: ['greet'] });
container.bind(TOKENS.ToolHandler).toConstantValue(greet);

// Yours would be anthropic('claude-sonnet-4-5') or any other model of the AI SDK.
const count = { total: 1 };
const usage = { inputTokens: count, outputTokens: count };
const call = { type: 'tool-call', toolCallId: 'a', toolName: 'greet', input: '{"who":"world"}' };
const model = new MockLanguageModelV3({
  doGenerate: [
    { content: [call], finishReason: { unified: 'tool-calls' }, usage, warnings: [] },
    { content: [{ type: 'text', text: 'Done.' }], finishReason: { unified: 'stop' }, usage, warnings: [] },
  ],
});

const { tools, close } = await toAiSdkTools(container);
const { text } = await generateText({ model, tools, prompt: 'Greet the world.', stopWhen: stepCountIs(5) });
const { toolCalls } = await close();
console.log(text, toolCalls[0].result.output, toolCalls[0].result.approval);
