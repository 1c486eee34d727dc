import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { GatedRun, OpenedGateway, ToolGateway } from '../../../src/application/tool-gateway.js';
import { createContainer } from '../../../src/container.js';
import { parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';
import { TOKENS } from '../../../src/ports/tokens.js';
import type { ToolSource } from '../../../src/ports/tool-source.js';

const NEVER = new AbortController().signal;

/** A server of a few lines, whose behaviour a file beside it decides: `does` is code for a call. */
const SERVER = (behaviour: string) => `import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const says = () => JSON.parse(readFileSync(${JSON.stringify(behaviour)}, 'utf8'));
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
console.error('server: here I am');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const answer = (result) => send({ id, result });
  const ok = { content: [{ type: 'text', text: 'ok' }] };
  if (method === 'initialize') answer({ protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/list' && says().onList) return new Function('send', 'answer', 'id', 'params', says().onList)(send, answer, id, params);
  if (method === 'tools/list') answer(says().list ?? { tools: says().tools });
  if (method === 'tools/call') {
    console.error('called ' + params.name);
    if (says().does) return new Function('send', 'answer', 'ok', 'id', 'params', says().does)(send, answer, ok, id, params);
    if (says().notifies) send({ method: 'notifications/tools/list_changed' });
    setTimeout(() => answer(says().result ?? ok), 50);
  }
});
`;

/** A folder with a workspace, and workflows with MCP servers opened in it. */
export class ServersFixture {
  readonly workspace: string;
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolgate-servers-')));
  readonly #opened: (OpenedGateway | GatedRun)[] = [];

  constructor() {
    this.workspace = join(this.#folder, 'w');
    mkdirSync(this.workspace);
  }

  /** Opens a workflow with these servers, and a run of calls with all tools. */
  async open(servers: string, { accept = false, env = {} } = {}) {
    const { workspace } = this;
    const workflow = parseWorkflow(
      `name: servers\nsandbox: { on_unavailable: warn }\nmcp_servers:\n${servers}\n`,
    );
    process.env.XDG_STATE_HOME = join(this.#folder, 'state');
    const container = await createContainer({ journal: 'file', workspace, sandbox: 'process', approve: [] });
    const gateway = container.get<ToolGateway>(TOKENS.ToolGateway);
    if (accept) {
      const source = container.get<ToolSource>(TOKENS.ToolSource);
      const declared = { servers: workflow.mcpServers ?? [], workspace, env, onUnavailable: 'warn' } as const;
      for (const serverChanges of ['show', 'accept'] as const) {
        const entries = await source.open({ ...declared, serverChanges }, { signal: NEVER });
        await source.close?.(entries);
      }
    }
    const tools = await gateway.open({ workflow, inputs: {}, workspace, env }, { signal: NEVER });
    this.#opened.push(tools);
    const run = await tools.begin({ step: 'serve', tools: tools.entries, startedWith: {}, signal: NEVER });
    this.#opened.push(run);
    const logged: string[] = [];
    const call = (tool: string, args = {}, signal = NEVER) =>
      run.calls.call({ tool, arguments: args }, { signal, onLog: (line) => void logged.push(line) });
    const names = tools.entries.map(({ handler }) => handler.tool.name);
    return { workflow, tools, names, call, logged };
  }

  ownServer(): { readonly script: string; readonly says: (behaviour: object) => void } {
    const script = join(this.#folder, 'server', 'server.mjs');
    const behaviour = join(dirname(script), 'behaviour.json');
    mkdirSync(dirname(script), { recursive: true });
    writeFileSync(script, SERVER(behaviour));
    return { script, says: (value) => writeFileSync(behaviour, JSON.stringify(value)) };
  }

  async remove(): Promise<void> {
    for (const one of this.#opened.splice(0).reverse()) await one.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The declaration of a server `docs` that runs a script. */
export const server = (script: string, more = '') =>
  `  docs: { command: node, args: ["${script}"], approval: auto, restrictions: { paths: { read: ["${dirname(script)}/**"] } }${more} }`;

/** A tool as a server lists it. */
export const tool = (name: string, more = {}) => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object' },
  ...more,
});
