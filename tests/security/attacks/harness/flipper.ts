import { Worker } from 'node:worker_threads';

/** Swaps a path between a folder or file of its own and a link, as fast as a thread can; gives what stops it. */
export async function startFlipping(
  path: string,
  [kind, link]: readonly [string, string],
): Promise<() => Promise<void>> {
  const target = /^symlink:(.*)$/s.exec(link)?.[1];
  if (target === undefined || !['dir', 'file'].includes(kind))
    throw new Error(`unknown race ${kind} ${link}`);
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(FLIPPER, { eval: true, workerData: { path, target, kind, stop } });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  await new Promise((resolve) => worker.once('message', resolve));
  return () => {
    Atomics.store(stop, 0, 1);
    return exited;
  };
}

const FLIPPER = `
  const fs = require('node:fs');
  const { parentPort, workerData: { path, target, kind, stop } } = require('node:worker_threads');
  const real = path + '.real';
  const link = path + '.link';
  if (kind === 'dir') fs.mkdirSync(real, { recursive: true }); else fs.writeFileSync(real, 'mine');
  fs.symlinkSync(target, link);
  const clear = () => { try { fs.rmSync(path, { recursive: true, force: true }); } catch {} };
  // Long enough for somebody to look, too short for anybody to look twice.
  const pause = () => { for (let left = Math.random() * 20000; left > 0; left -= 1); };
  const swap = (from) => {
    try { fs.renameSync(from, path); pause(); fs.renameSync(path, from); } catch { clear(); }
  };
  let announced = false;
  while (Atomics.load(stop, 0) === 0) {
    swap(real);
    swap(link);
    if (!announced) parentPort.postMessage('running');
    announced = true;
  }
`;
