// A program with a tool and a provider of its own, that runs a workflow: node examples/library/word-count.mjs README.md
import { fileURLToPath } from 'node:url';
import { createContainer, loadWorkflow, resolveInputs, TOKENS } from 'toolgate';
import { WordCount } from './word-count-tool.mjs';

// Your model goes here. One call of `complete` is one turn.
const model = {
  name: 'my-model',
  async complete({ messages }) {
    const last = messages.at(-1);
    const content = last.role === 'tool' ? `It has ${last.results[0].output}.` : '';
    const calls =
      last.role === 'tool' ? [] : [{ id: 'call_1', name: 'word_count', arguments: { path: file } }];
    return { message: { role: 'assistant', content, calls }, usage: { inputTokens: 10, outputTokens: 5 } };
  },
};

const [file = 'README.md'] = process.argv.slice(2);
const workspace = process.cwd();
const container = await createContainer();
container.bind(TOKENS.ToolHandler).to(WordCount);
container.rebind(TOKENS.AgentProviders).toConstantValue({ create: async () => model });

const workflow = await loadWorkflow(fileURLToPath(new URL('workflow.yaml', import.meta.url)));
const inputs = await resolveInputs(workflow, { file }, { workspace });
const { signal } = new AbortController();
const run = container
  .get(TOKENS.WorkflowRunner)
  .run({ workflow, inputs, workspace, env: process.env }, { signal });

for (;;) {
  const { done, value } = await run.next();
  if (done) {
    console.log(value.states.get('count').output);
    break;
  }
  if (value.type === 'call-log') console.error(value.message);
}
