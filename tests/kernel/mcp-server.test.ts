import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OpenedGateway, ToolGateway } from '../../src/application/tool-gateway.js';
import { createContainer } from '../../src/container.js';
import { parseWorkflow } from '../../src/infrastructure/workflow/parse-workflow.js';
import { TOKENS } from '../../src/ports/tokens.js';

const NEVER = new AbortController().signal;
/** Does what it is told in JavaScript, and says what came of it. */
const SERVER = `
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
const work = {
  read: ({ path }) => readFileSync(path, 'utf8'),
  write: ({ path }) => (writeFileSync(path, 'x'), 'written'),
  env: () => Object.keys(process.env).join(),
  dial: () => new Promise((done) => connect(9, '127.0.0.1').on('connect', () => done('connected')).on('error', (error) => done(error.code))),
};
const tools = Object.keys(work).map((name) => ({ name, inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }));
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const text = async () => { try { return await work[params.name](params.arguments); } catch (error) { return error.code; } };
  const result = method === 'initialize'
    ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    : method === 'tools/list' ? { tools } : { content: [{ type: 'text', text: await text() }] };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`;

let folder: string;
let gateway: OpenedGateway | undefined;

beforeEach(() => {
  // Not below /tmp, which a sandbox replaces with one of its own.
  folder = realpathSync(mkdtempSync(join(homedir(), '.toolgate-mcp-')));
  mkdirSync(join(folder, 'w/out'), { recursive: true });
  writeFileSync(join(folder, 'secret'), 'outside');
  writeFileSync(join(folder, 'w/server.mjs'), SERVER);
  writeFileSync(join(folder, 'w/hidden'), 'inside, and not listed');
});

afterEach(async () => {
  await gateway?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('an MCP server in the sandbox', () => {
  it('has what its restrictions give it, and nothing else', async () => {
    const workspace = join(folder, 'w');
    const workflow = parseWorkflow(
      'mcp_servers: { s: { command: node, args: [server.mjs], approval: auto, restrictions: { paths: { read: [server.mjs], write: ["out/**"] } } } }',
    );
    process.env.TOOLGATE_TEST_SECRET = 'sesame';
    const container = await createContainer({ workspace });
    const request = { workflow, inputs: {}, workspace, env: {} };
    gateway = await container.get<ToolGateway>(TOKENS.ToolGateway).open(request, { signal: NEVER });
    const tools = gateway.entries;
    const run = await gateway.begin({ step: 'serve', tools, startedWith: {}, signal: NEVER });
    const ask = async (tool: string, args = {}) =>
      (await run.calls.call({ tool: `s_${tool}`, arguments: args }, { signal: NEVER })).text;
    expect(await ask('read', { path: join(workspace, 'server.mjs') })).toContain('createInterface');
    expect(await ask('read', { path: join(workspace, 'hidden') })).toBe('ENOENT');
    expect(await ask('read', { path: join(folder, 'secret') })).toBe('ENOENT');
    expect(await ask('write', { path: join(workspace, 'out/a') })).toBe('written');
    expect(await ask('write', { path: join(workspace, 'server.mjs') })).toMatch(/EROFS|EACCES|EPERM/);
    expect(await ask('dial')).toMatch(/ECONNREFUSED|EACCES|ENETUNREACH|EPERM/);
    expect(await ask('env')).not.toContain('TOOLGATE_TEST_SECRET');
    await run.close();
  });
});
