// The declarations that somebody who imports the package can come to. The others would be two thirds of its files.
import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Removes every declaration below `folder` that none of `entries` leads to, and the folders left empty. */
export function keepReachableTypes(folder, entries) {
  const kept = new Set();
  const open = entries.map((entry) => resolve(folder, entry));
  for (let file = open.pop(); file; file = open.pop()) {
    if (kept.has(file)) continue;
    kept.add(file);
    open.push(...importsOf(file));
  }
  prune(resolve(folder), kept);
}

function importsOf(file) {
  const named = readFileSync(file, 'utf8').matchAll(
    /(?:\bfrom|\bimport|\bimport\()\s*['"](\.[^'"]+)\.js['"]/g,
  );
  return [...named].map(([, path]) => `${resolve(file, '..', path)}.d.ts`);
}

/** Says whether nothing is left. */
function prune(folder, kept) {
  const left = readdirSync(folder, { withFileTypes: true }).filter((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return !prune(path, kept);
    if (!kept.has(path)) rmSync(path);
    return kept.has(path);
  });
  if (left.length === 0) rmdirSync(folder);
  return left.length === 0;
}
