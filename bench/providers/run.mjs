// What a provider costs over a bare got request with the same body, on a real socket: `npm run bench:providers`.
// Rounds are interleaved; compare within one run only.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import { cpus } from 'node:os';
import { got } from 'got';
import { createContainer, createTool, NO_PERMISSIONS, TOKENS } from '../../dist/index.js';

process.env.ANTHROPIC_API_KEY = 'bench-key-1234';
const { signal } = new AbortController();
const keepAlive = new Agent({ keepAlive: true });
const RESULT = 'x'.repeat(2048);
const TOOL = createTool({
  name: 'work',
  parameters: { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false },
});

console.log(`node ${process.version}, ${cpus().length} cores\n`);
await overhead();
await growth();
await reaction();

/** One request at the end of a conversation of ten turns, asked by us and by got alone. */
async function overhead() {
  const server = await start(1000);
  const agent = await agentFor(server);
  const messages = conversation(10);
  const tools = [TOOL];
  const body = await bodyOf(messages, tools);
  const ours = [];
  const bare = [];
  for (let round = 0; round < 400; round += 1) {
    ours.push(await time(() => agent.complete({ messages, tools, options: {} }, { signal })));
    bare.push(await time(() => bareRequest(server.url, body)));
  }
  const [mine, floor] = [ours.slice(50), bare.slice(50)];
  console.log(`A request at turn 10 (${body.length} bytes), ms: median [min]`);
  console.log(`  anthropic  ${figures(mine)}\n  bare got   ${figures(floor)}`);
  console.log(`  overhead   ${(median(mine) - median(floor)).toFixed(2)}\n`);
  await server.stop();
}

/** Whole conversations: if the CPU for a kilobyte stays the same, the cost is linear in what is sent. */
async function growth() {
  console.log('A conversation with 2 KB results: CPU of all turns, and for a kilobyte sent');
  for (const turns of [12, 25, 50, 100, 200]) {
    const server = await start(turns);
    const samples = [];
    for (let round = 0; round < 6; round += 1) {
      server.told.length = 0;
      const before = process.cpuUsage();
      await converse(await agentFor(server), turns, () => undefined);
      const { user, system } = process.cpuUsage(before);
      const bytes = server.told.reduce((sum, one) => sum + one.bytes, 0);
      samples.push({ ms: (user + system) / 1000, perKb: (user + system) / (bytes / 1024), kb: bytes / 1024 });
    }
    const pick = (key) => median(samples.slice(1).map((sample) => sample[key]));
    const line = `${pick('ms').toFixed(0).padStart(6)} ms for ${pick('kb').toFixed(0).padStart(6)} KB`;
    console.log(`  ${String(turns).padStart(3)} turns ${line}, ${pick('perKb').toFixed(1)} µs a KB`);
    await server.stop();
  }
}

/** From the moment the other process writes the last bytes of a call to the moment the tool begins. */
async function reaction() {
  const server = await start(100);
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    server.told.length = 0;
    const started = [];
    await converse(await agentFor(server), 100, () => started.push(process.hrtime.bigint()));
    await new Promise((turn) => setTimeout(turn, 50));
    const took = started.map((at, call) => Number(at - BigInt(server.told[call].at)) / 1e6);
    if (round > 0) times.push(...took);
  }
  const bare = await bareReaction(server);
  console.log(
    '\nFrom the last byte of a call, written elsewhere, to the start of its tool, ms: median [min]',
  );
  console.log(`  to the tool's start   ${figures(times)}\n  to bare got's end     ${figures(bare)}`);
  await server.stop();
}

async function bareReaction(server) {
  const body = await bodyOf(conversation(50), [TOOL]);
  server.told.length = 0;
  const ended = [];
  for (let round = 0; round < 200; round += 1) {
    await bareRequest(server.url, body);
    ended.push(process.hrtime.bigint());
  }
  await new Promise((turn) => setTimeout(turn, 50));
  return ended.map((at, round) => Number(at - BigInt(server.told[round].at)) / 1e6).slice(50);
}

async function converse(agent, turns, onCall) {
  const container = await createContainer();
  const run = (args) => {
    onCall(args);
    return RESULT;
  };
  const entry = {
    handler: { tool: TOOL, run },
    approval: { default: 'auto', rules: [] },
    permissions: NO_PERMISSIONS,
    workspace: '/',
    onUnavailable: 'deny',
  };
  const request = {
    step: 'bench',
    agent,
    messages: [{ role: 'user', content: 'go' }],
    tools: [entry],
    limits: { maxCalls: turns + 1 },
  };
  let last;
  for await (const event of container.get(TOKENS.ToolOrchestrator).run(request, { signal })) last = event;
  if (last.state.toolCalls.length !== turns) throw new Error(`made ${last.state.toolCalls.length} calls`);
}

function conversation(turns) {
  const messages = [{ role: 'user', content: 'go' }];
  for (let turn = 0; turn < turns; turn += 1) {
    const id = `toolu_${turn}`;
    messages.push({ role: 'assistant', content: '', calls: [{ id, name: 'work', arguments: { n: turn } }] });
    messages.push({ role: 'tool', results: [{ callId: id, tool: 'work', output: RESULT, isError: false }] });
  }
  return messages;
}

/** The body that the provider would send, caught on its way. */
async function bodyOf(messages, tools) {
  const chunks = [];
  const server = createServer(async (request, response) => {
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(400).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = await agentFor({ url: `http://127.0.0.1:${server.address().port}` });
  await agent.complete({ messages, tools, options: {} }, { signal }).catch(() => undefined);
  server.closeAllConnections();
  server.close();
  return Buffer.concat(chunks).toString();
}

async function bareRequest(url, body) {
  const stream = got.stream.post(`${url}/v1/messages`, {
    body,
    retry: { limit: 0 },
    agent: { http: keepAlive },
  });
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.length;
  return bytes;
}

async function agentFor({ url }) {
  const container = await createContainer();
  return container
    .get(TOKENS.AgentProviders)
    .create('anthropic', { model: 'claude-sonnet-4-5', base_url: url });
}

async function start(turns) {
  const child = fork(new URL('./server.mjs', import.meta.url), [String(turns)]);
  const [{ port }] = await once(child, 'message');
  const told = [];
  child.on('message', (message) => told.push(message));
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { url: `http://127.0.0.1:${port}`, told, stop };
}

async function time(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function figures(list) {
  return `${median(list).toFixed(2)} [${Math.min(...list).toFixed(2)}]`;
}

function median(list) {
  return [...list].sort((left, right) => left - right)[list.length >> 1];
}
