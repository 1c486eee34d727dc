// What the kernel sandbox costs, beside a bare spawn and @anthropic-ai/sandbox-runtime, in one run and interleaved:
// `npm run bench:sandbox`. It runs under the Node 24 from npm that sandbox-runtime needs. Compare within one run only.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bareSpawn, sandboxRuntime, toolgate } from './contestants.mjs';

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'toolgate-bench-')));
console.log(`node ${process.version}, ${cpus().length} cores`);
try {
  const contestants = await start();
  await latency(contestants);
  await throughput(contestants);
  for (const { close } of Object.values(contestants)) await close?.();
  await files();
  await flood();
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
process.exit(0);

async function start() {
  const made = {
    'bare spawn': bareSpawn(),
    'toolgate, warm': await toolgate(workspace, 'warm'),
    'toolgate, cold': await toolgate(workspace, 'cold'),
  };
  try {
    made['sandbox-runtime'] = await sandboxRuntime(workspace);
  } catch (error) {
    console.log(`\nsandbox-runtime is left out: ${error.message} (it needs socat and ripgrep)`);
  }
  return made;
}

/** One call at a time with a pause, as an agent makes them: what a call waits. */
async function latency(contestants) {
  const samples = await interleaved(contestants, { rounds: 60, warmUp: 5, pauseMs: 40 });
  print('A sandboxed /bin/true, one at a time: wall median [min]', samples, 'wall', 'ms');
}

/** Without a pause: what a machine can do, and the CPU it takes, children and what is made ready included. */
async function throughput(contestants) {
  const samples = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = 0; round < 5; round += 1) {
    for (const [name, { run }] of Object.entries(contestants)) {
      samples[name].push(await burst(run, 20));
      await delay(200);
    }
  }
  print('Back to back, 20 calls: wall per call, median [min]', samples, 'wall', 'ms');
  print('Back to back, 20 calls: CPU per call of all processes, median [min]', samples, 'cpu', 'ms');
}

async function burst(run, count) {
  const cpu = cpuOfAll();
  const started = performance.now();
  for (let index = 0; index < count; index += 1) await run();
  const wall = (performance.now() - started) / count;
  return { wall, cpu: (cpuOfAll() - cpu) / count };
}

async function interleaved(contestants, { rounds, warmUp, pauseMs }) {
  const samples = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [name, { run }] of Object.entries(contestants)) {
      const started = performance.now();
      await run();
      if (round >= 0) samples[name].push({ wall: performance.now() - started });
      await delay(pauseMs);
    }
  }
  return samples;
}

/** read_file of 4 KB through the whole of FileAccess, beside fs.promises.readFile of the same file. */
async function files() {
  const { createContainer, NO_PERMISSIONS, TOKENS } = await import('../../dist/index.js');
  const access = (await createContainer()).get(TOKENS.FileAccess);
  const path = join(workspace, 'src', 'deep', 'file.txt');
  mkdirSync(join(workspace, 'src', 'deep'), { recursive: true });
  writeFileSync(path, 'x'.repeat(4096));
  const scope = { workspace, permissions: { ...NO_PERMISSIONS, read: [`${workspace}/**`] } };
  const contestants = {
    'fs.readFile': { run: () => readFile(path) },
    toolgate: {
      run: async () => access.read(await access.resolve(path, 'read', scope), { maxBytes: 65536, scope }),
    },
  };
  const samples = await interleaved(contestants, { rounds: 2000, warmUp: 500, pauseMs: 0 });
  print('read_file of 4 KB: wall median [min]', samples, 'wall', 'ms');
}

/** A tool that prints 1 GB: the memory that this process gains, and that it ends. */
async function flood() {
  const { createContainer, NO_PERMISSIONS, TOKENS } = await import('../../dist/index.js');
  const sandbox = (await createContainer()).get(TOKENS.Sandbox);
  const permissions = { ...NO_PERMISSIONS, commands: 'any', read: [`${workspace}/**`] };
  const policy = { workspace, permissions, onUnavailable: 'deny' };
  const plan = await sandbox.plan(policy, { kind: 'argv', argv: ['head', '-c', '1G', '/dev/zero'] });
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  const started = performance.now();
  const outcome = await sandbox.run(plan, {
    signal: new AbortController().signal,
    outputFile: join(workspace, 'whole.txt'),
  });
  clearInterval(watch);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const extra = ((peak - before) / 2 ** 20).toFixed(0);
  console.log(
    `\nA tool that prints 1 GB: ${extra} MB more memory at most, ${seconds} s, exit ${outcome.exitCode}`,
  );
}

/** Milliseconds of CPU of the whole machine: what is started ahead of time counts too, whoever its parent is. */
function cpuOfAll() {
  const [user, nice, system] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]
    .trim()
    .split(/\s+/)
    .slice(1);
  return (Number(user) + Number(nice) + Number(system)) * 10;
}

function print(title, samples, key, unit) {
  console.log(`\n${title}, × the first`);
  const [floor] = Object.values(samples).map((list) => median(list.map((sample) => sample[key])));
  for (const [name, list] of Object.entries(samples)) {
    const values = list.map((sample) => sample[key]);
    const middle = median(values);
    const figures = `${middle.toFixed(3)} [${Math.min(...values).toFixed(3)}] ${unit}`.padEnd(26);
    console.log(`  ${name.padEnd(18)} ${figures} ${(middle / floor).toFixed(2)}×`);
  }
}

function median(list) {
  return [...list].sort((left, right) => left - right)[list.length >> 1];
}
