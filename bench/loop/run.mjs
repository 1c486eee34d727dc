// Loop overhead beside the peers, in one run: `npm run bench`. The machine may be noisy, so runs are interleaved
// and medians, minima and CPU time are printed; compare within one run only.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTESTANTS } from './contestants.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
const workspace = join(scratch, 'workspace');
mkdirSync(workspace);
process.env.XDG_STATE_HOME = join(scratch, 'state');

console.log(`node ${process.version}, ${cpus().length} cores\n`);
await overhead();
await parallel();
memory();
imports();
rmSync(scratch, { recursive: true, force: true });

async function overhead() {
  console.log('Loop overhead, µs a call: median [min] · CPU median · × hand-written');
  for (const [calls, rounds] of [
    [10, 41],
    [100, 21],
    [1000, 7],
  ]) {
    const results = await measure({ work: () => 'ok', turns: calls, width: 1, workspace }, rounds, calls);
    print(`${calls} calls`, results, 'µs');
  }
}

async function parallel() {
  const work = () => new Promise((done) => setTimeout(() => done('ok'), 10));
  const results = await measure({ work, turns: 1, width: 100, workspace }, 15, 1);
  for (const result of results) for (const key of ['median', 'min', 'cpu']) result[key] /= 1000;
  print('100 parallel calls of 10 ms', results, 'ms');
}

/** Runs every contestant in turn, round by round, so that a slow minute of the machine hits all of them. */
async function measure(scenario, rounds, per) {
  const entries = [];
  for (const [name, make] of Object.entries(CONTESTANTS)) {
    const made = await make(scenario);
    const contestant = typeof made === 'function' ? { run: made } : made;
    entries.push({ name, ...contestant, wall: [], cpu: [] });
  }
  for (let round = -3; round < rounds; round += 1) {
    for (const entry of entries) {
      const sample = await once(entry);
      if (round < 0) continue;
      entry.wall.push(sample.wall / per);
      entry.cpu.push(sample.cpu / per);
    }
  }
  return entries.map(({ name, wall, cpu }) => ({
    name,
    median: median(wall),
    min: Math.min(...wall),
    cpu: median(cpu),
  }));
}

async function once({ open, run, close }) {
  const session = await open?.();
  const cpu = process.cpuUsage();
  const start = performance.now();
  await run(session);
  const wall = (performance.now() - start) * 1000;
  const { user, system } = process.cpuUsage(cpu);
  await close?.(session);
  return { wall, cpu: user + system };
}

function print(title, results, unit) {
  const floor = results[0].median;
  console.log(`\n${title}`);
  for (const { name, median: middle, min, cpu } of results) {
    const figures = `${digits(middle)} [${digits(min)}] ${unit}`.padEnd(24);
    console.log(`  ${name.padEnd(26)} ${figures} CPU ${digits(cpu).padEnd(9)} ${digits(middle / floor)}×`);
  }
}

function memory() {
  console.log(
    '\nHeap above the base after 1000 calls with 2 KB results (own process, collected before and after)',
  );
  for (const name of Object.keys(CONTESTANTS)) {
    const out = fork(['--expose-gc', new URL('./heap.mjs', import.meta.url).pathname, name, workspace]);
    console.log(`  ${name.padEnd(26)} ${out.trim()}`);
  }
}

function imports() {
  console.log('\nImport in a fresh process, ms above an empty one: median [min] of 15');
  const here = new URL('../../dist/', import.meta.url).href;
  const entries = {
    toolgate: `${here}index.js`,
    'toolgate/toolparse': `${here}toolparse.js`,
    ai: import.meta.resolve('ai'),
    '@openai/agents': import.meta.resolve('@openai/agents'),
  };
  const times = Object.fromEntries(Object.keys(entries).map((name) => [name, []]));
  for (let round = 0; round < 15; round += 1) {
    for (const [name, url] of Object.entries(entries)) {
      const script = `const t=performance.now();await import(${JSON.stringify(url)});console.log(performance.now()-t)`;
      times[name].push(Number(fork(['--input-type=module', '-e', script])));
    }
  }
  for (const [name, list] of Object.entries(times)) {
    console.log(`  ${name.padEnd(26)} ${digits(median(list))} [${digits(Math.min(...list))}] ms`);
  }
}

function fork(args) {
  return execFileSync(process.execPath, args, { encoding: 'utf8', cwd: new URL('..', import.meta.url) });
}

function median(list) {
  return [...list].sort((left, right) => left - right)[list.length >> 1];
}

function digits(value) {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}
