// One contestant in a process of its own: argv is its name and the scenario; prints its samples as JSON.
import { CONTESTANTS } from './contestants.mjs';

const { name, turns, width, delayMs, rounds, workspace } = JSON.parse(process.argv[2]);
const work = delayMs ? () => new Promise((done) => setTimeout(() => done('ok'), delayMs)) : () => 'ok';
const made = await CONTESTANTS[name]({ work, turns, width, workspace });
const { open, run, close } = typeof made === 'function' ? { run: made } : made;
const samples = [];
// Everybody gets the same time to be compiled, not the same number of rounds: what is measured is a running
// program, not V8 at work. A contestant that takes seconds a round is measured on fewer of them.
const warm = performance.now() + 2500;
const enough = warm + 5000;
while (samples.length < rounds && (samples.length === 0 || performance.now() < enough)) {
  const isWarm = performance.now() >= warm;
  const sample = await once();
  if (isWarm || performance.now() >= enough) samples.push(sample);
}
console.log(JSON.stringify(samples));
process.exit(0);

async function once() {
  const session = await open?.();
  const cpu = process.cpuUsage();
  const start = performance.now();
  await run(session);
  const wall = (performance.now() - start) * 1000;
  const { user, system } = process.cpuUsage(cpu);
  await close?.(session);
  return { wall, cpu: user + system };
}
