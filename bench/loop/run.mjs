// Loop overhead beside the peers, in one run: `npm run bench`. The machine may be noisy, so runs are interleaved
// and medians, minima and CPU time are printed; compare within one run only.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { printImportTimes } from '../import/import-times.mjs';
import { CONTESTANTS } from './contestants.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
const workspace = join(scratch, 'workspace');
mkdirSync(workspace);
process.env.XDG_STATE_HOME = join(scratch, 'state');

console.log(`node ${process.version}, ${cpus().length} cores\n`);
overhead();
parallel();
memory();
imports();
rmSync(scratch, { recursive: true, force: true });

function overhead() {
  console.log('Loop overhead, µs a call: median [min] · CPU median · × hand-written');
  for (const { turns, rounds } of [
    { turns: 10, rounds: 501 },
    { turns: 100, rounds: 101 },
    { turns: 1000, rounds: 15 },
  ]) {
    print(`${turns} calls`, measure({ turns, width: 1, rounds }, turns), 'µs');
  }
}

function parallel() {
  const scenario = { turns: 1, width: 100, delayMs: 10, rounds: 51 };
  print('100 parallel calls of 10 ms', measure(scenario, 1000), 'ms');
}

/** Each contestant in processes of its own, twice in turn, so that a slow minute hits all of them. */
function measure(scenario, per) {
  const names = Object.keys(CONTESTANTS);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let turn = 0; turn < 2; turn += 1) {
    for (const name of names) {
      const script = new URL('./measure.mjs', import.meta.url).pathname;
      samples[name].push(...JSON.parse(fork([script, JSON.stringify({ name, ...scenario, workspace })])));
    }
  }
  return names.map((name) => ({
    name,
    median: median(samples[name].map(({ wall }) => wall)) / per,
    min: Math.min(...samples[name].map(({ wall }) => wall)) / per,
    cpu: median(samples[name].map(({ cpu }) => cpu)) / per,
  }));
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
  const here = new URL('../../dist/', import.meta.url).href;
  printImportTimes({
    toolgate: `${here}index.js`,
    'toolgate/toolparse': `${here}toolparse.js`,
    ai: import.meta.resolve('ai'),
    '@openai/agents': import.meta.resolve('@openai/agents'),
  });
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
