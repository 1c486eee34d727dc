// `toolgate serve` as a program: journal and audit on disk, and one handler that does nothing.
import { createContainer, createTool, TOKENS } from '../../dist/index.js';
import { serveTools } from '../../dist/mcp.js';

const workspace = import.meta.dirname;
const container = await createContainer({ journal: 'file', workspace });
const properties = { call: { type: 'number' } };
const tool = createTool({ name: 'nothing', parameters: { type: 'object', properties } });
container.bind(TOKENS.ToolHandler).toConstantValue({ tool, run: () => 'done' });
const declared = { name: 'nothing', kind: { type: 'handler' }, allowDash: [], restrictions: {} };
const tools = [{ ...declared, approval: { default: 'auto', rules: [] } }];
const serving = await serveTools({
  workflow: {
    name: 'bench',
    version: '1',
    inputs: [],
    onUnavailable: 'deny',
    tools,
    steps: [],
    hash: '',
  },
  workspace,
  inputs: {},
  container,
  transport: { kind: 'stdio' },
  limits: { maxCalls: 100_000 },
  signal: new AbortController().signal,
  log: console.error,
});
await serving.ended;
process.exit(0);
