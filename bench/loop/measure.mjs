// One contestant in a process of its own: argv is its name and the scenario; prints its samples as JSON.
import { CONTESTANTS } from './contestants.mjs';

const { name, turns, width, delayMs, warmUp, rounds, workspace } = JSON.parse(process.argv[2]);
const work = delayMs ? () => new Promise((done) => setTimeout(() => done('ok'), delayMs)) : () => 'ok';
const made = await CONTESTANTS[name]({ work, turns, width, workspace });
const { open, run, close } = typeof made === 'function' ? { run: made } : made;
const samples = [];
// A contestant that takes seconds a round is measured on fewer of them.
const enough = performance.now() + 6000;
for (let round = -warmUp; round < rounds; round += 1) {
  const isLate = performance.now() > enough;
  if (isLate && samples.length > 0) break;
  const sample = await once();
  if (round >= 0 || isLate) samples.push(sample);
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
