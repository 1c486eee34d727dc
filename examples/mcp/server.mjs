// An MCP server in a few lines, with no package: one message a line, in and out.
import { createInterface } from 'node:readline';

const days = {
  name: 'days',
  description: 'Says how many days a month has.',
  inputSchema: {
    type: 'object',
    properties: { year: { type: 'integer' }, month: { type: 'integer', minimum: 1, maximum: 12 } },
    required: ['year', 'month'],
  },
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'clock', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [days] }),
  'tools/call': ({ arguments: { year, month } }) => ({
    content: [{ type: 'text', text: String(new Date(year, month, 0).getDate()) }],
  }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const reply = answer
    ? { result: answer(params) }
    : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
});
