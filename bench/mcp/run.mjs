// What the gate costs an MCP client: a tool that does nothing through `toolgate serve`, against the same tool on a bare
// server of the SDK, in one run, turn by turn; and how long a list of 1,000 tools takes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const CALLS = 100;
const ROUNDS = 15;
const folder = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state') };
const here = resolve('bench/mcp');

try {
  const [bare, gated] = await Promise.all([
    connect([join(here, 'bare-server.mjs')]),
    connect([join(here, 'gated-server.mjs'), folder]),
  ]);
  const figures = { bare: [], gated: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    figures.bare.push(await perCall(bare));
    figures.gated.push(await perCall(gated));
  }
  const [bareMs, gatedMs] = [Math.min(...figures.bare), Math.min(...figures.gated)];
  console.log(
    `one call: bare ${bareMs.toFixed(3)} ms, gated ${gatedMs.toFixed(3)} ms, the gate ${(gatedMs - bareMs).toFixed(3)} ms (at most 1)`,
  );
  await Promise.all([bare.close(), gated.close()]);
  console.log(`1,000 tools listed in ${(await listing()).toFixed(1)} ms (at most 50)`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function connect(args) {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'inherit' }));
  return client;
}

/** Arguments differ, or the same result over and over would be taken for a circle. */
async function perCall(client) {
  const start = performance.now();
  for (let call = 0; call < CALLS; call += 1) {
    const { isError } = await client.callTool({ name: 'nothing', arguments: { call: Math.random() } });
    if (isError) throw new Error('the call failed');
  }
  return (performance.now() - start) / CALLS;
}

async function listing() {
  const tools = Array.from(
    { length: 1_000 },
    (_, index) =>
      `  - { name: tool_${index}, description: Log, command: "git log -n {{args.count}}", parameters: [{ name: count, type: integer }], restrictions: { commands: [git] } }`,
  );
  const file = join(folder, 'many.yaml');
  writeFileSync(file, `name: many\ntools:\n${tools.join('\n')}\n`);
  const client = await connect([resolve('dist/cli.js'), 'serve', file, '--workspace', here]);
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const listed = await client.listTools();
    times.push(performance.now() - start);
    if (listed.tools.length !== 1_000) throw new Error(`${listed.tools.length} tools listed`);
  }
  await client.close();
  return Math.min(...times);
}
