// A server for the conformance suite, behind the gate: it reports progress, writes a log and has a rich schema.
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const NO_ARGUMENTS = { type: 'object', properties: {}, additionalProperties: false };

const TOOLS = [
  { name: 'tool_with_progress', description: 'Reports progress.', inputSchema: NO_ARGUMENTS },
  { name: 'tool_with_logging', description: 'Writes a log.', inputSchema: NO_ARGUMENTS },
  {
    name: 'schema_2020_12_tool',
    description: 'Has a schema of the 2020-12 kind.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
      },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
  },
];

const STAGES = ['started', 'processing', 'completed'];

async function call({ name, _meta }) {
  for (const [at, stage] of STAGES.entries()) {
    if (name === 'tool_with_logging') console.error(`Tool execution ${stage}`);
    if (name === 'tool_with_progress' && _meta?.progressToken !== undefined)
      report(_meta.progressToken, at * 50);
    await pause(50);
  }
  return { content: [{ type: 'text', text: `${name} is done` }] };
}

function report(progressToken, progress) {
  send({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'test', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': call,
};

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) send({ id, result: (await answers[method]?.(params)) ?? {} });
});
