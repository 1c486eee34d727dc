// Each contestant runs one step: a mock model asks for `turns` x `width` calls of a tool, then says "done".
// `make()` does the set-up once; what it returns is run again and again, so set-up is not part of the figures.

/** The hand-written loop: what the job costs at the very least. */
async function handWritten({ work, turns, width }) {
  return async () => {
    const messages = [{ role: 'user', content: 'go' }];
    for (let turn = 0; ; turn += 1) {
      const calls = callsOf(turn, { turns, width });
      messages.push({ role: 'assistant', calls });
      if (calls.length === 0) return messages.length;
      const results = await Promise.all(
        calls.map(async ({ id, args }) => ({ id, output: await work(JSON.parse(args)) })),
      );
      messages.push({ role: 'tool', results });
    }
  };
}

async function toolgate(scenario, kind) {
  const { createContainer, createTool, NO_PERMISSIONS, TOKENS } = await import('../../dist/index.js');
  const container = await createContainer({ journal: kind, workspace: scenario.workspace });
  const orchestrator = container.get(TOKENS.ToolOrchestrator);
  const journal = container.get(TOKENS.RunJournal);
  const handler = { tool: createTool({ name: 'work', parameters: SCHEMA }), run: scenario.work };
  const tools = [
    {
      handler,
      approval: { default: 'auto', rules: [] },
      permissions: NO_PERMISSIONS,
      workspace: scenario.workspace,
      onUnavailable: 'deny',
    },
  ];
  const limits = { maxCalls: scenario.turns * scenario.width + 1, maxParallel: 100 };
  return {
    // Opening a run is once a run, not once a call; it has a line of its own.
    async open() {
      return journal.open(`bench-${process.pid}-${runs++}`, 'create', { secrets: [], durability: 'crash' });
    },
    async run(session) {
      const messages = [{ role: 'user', content: 'go' }];
      let turn = 0;
      const complete = async () => {
        const calls = callsOf(turn++, scenario).map(({ id, args }) => ({
          id,
          name: 'work',
          arguments: JSON.parse(args),
        }));
        return { message: { role: 'assistant', content: calls.length > 0 ? '' : 'done', calls } };
      };
      const request = { step: 'bench', agent: { name: 'mock', complete }, messages, tools, limits };
      const signal = new AbortController().signal;
      for await (const _event of orchestrator.run(request, { signal, session }));
    },
    close: (session) => session.close(),
  };
}

async function aiSdk({ work, turns, width }) {
  const { generateText, stepCountIs, jsonSchema, tool } = await import('ai');
  const { MockLanguageModelV3 } = await import('ai/test');
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const tools = { work: tool({ inputSchema: jsonSchema(SCHEMA), execute: work }) };
  return async () => {
    let turn = 0;
    const model = new MockLanguageModelV3({
      doGenerate: async () => {
        const calls = callsOf(turn++, { turns, width });
        const content = calls.map(({ id, args }) => ({
          type: 'tool-call',
          toolCallId: id,
          toolName: 'work',
          input: args,
        }));
        if (calls.length === 0) content.push({ type: 'text', text: 'done' });
        const finishReason = { unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined };
        return { content, finishReason, usage, warnings: [] };
      },
    });
    const { steps } = await generateText({ model, tools, prompt: 'go', stopWhen: stepCountIs(turns + 2) });
    if (steps.length !== turns + 1) throw new Error(`ai took ${steps.length} steps`);
  };
}

async function openaiAgents({ work, turns, width }) {
  const { Agent, run, setTracingDisabled, tool, Usage } = await import('@openai/agents');
  setTracingDisabled(true);
  const parameters = { ...SCHEMA, additionalProperties: false };
  const worker = tool({ name: 'work', description: '', parameters, strict: false, execute: work });
  return async () => {
    let turn = 0;
    const model = {
      getResponse: async () => {
        const calls = callsOf(turn++, { turns, width });
        const output = calls.map(({ id, args }) => ({
          type: 'function_call',
          id,
          callId: id,
          name: 'work',
          status: 'completed',
          arguments: args,
        }));
        const content = [{ type: 'output_text', text: 'done' }];
        if (calls.length === 0) {
          output.push({ type: 'message', role: 'assistant', id: 'm', status: 'completed', content });
        }
        return { usage: new Usage(), output, responseId: `r${turn}` };
      },
      getStreamedResponse() {
        throw new Error('not used');
      },
    };
    const agent = new Agent({ name: 'bench', model, tools: [worker] });
    const { finalOutput } = await run(agent, 'go', { maxTurns: turns + 2 });
    if (finalOutput !== 'done') throw new Error(`agents said ${finalOutput}`);
  };
}

let runs = 0;

const SCHEMA = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
};

/** The calls of one turn; arguments are text, as models send them, and differ, so that no loop detector wakes. */
function callsOf(turn, { turns, width }) {
  if (turn >= turns) return [];
  return Array.from({ length: width }, (_, place) => {
    const n = turn * width + place;
    return { id: `call_${n}`, args: `{"n":${n}}` };
  });
}

export const CONTESTANTS = {
  'hand-written': handWritten,
  'toolgate, memory journal': (scenario) => toolgate(scenario, 'memory'),
  'toolgate, file journal': (scenario) => toolgate(scenario, 'file'),
  'ai 6 generateText': aiSdk,
  '@openai/agents': openaiAgents,
};
