// How much one contestant holds after 1000 calls with results of 2 KB, and at its peak.
import { CONTESTANTS } from './contestants.mjs';

const [name, workspace] = process.argv.slice(2);
const scenario = { work: ({ n }) => `${n} ${'x'.repeat(2048)}`, turns: 1000, width: 1, workspace };
const made = await CONTESTANTS[name](scenario);
const contestant = typeof made === 'function' ? { run: made } : made;
const session = await contestant.open?.();
global.gc();
const base = process.memoryUsage().heapUsed;
let peak = base;
const timer = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().heapUsed);
}, 1);
await contestant.run(session);
clearInterval(timer);
peak = Math.max(peak, process.memoryUsage().heapUsed);
global.gc();
const held = process.memoryUsage().heapUsed - base;
console.log(`held ${(held / 1e6).toFixed(1)} MB, peak ${((peak - base) / 1e6).toFixed(1)} MB`);
process.exit(0);
