import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./one-import.mjs', import.meta.url));

/**
 * Prints what each import costs a program that has nothing else, in fresh processes taken in turn; the empty file is
 * what any import costs.
 */
export function printImportTimes(entries, rounds = 15) {
  const all = { 'an empty file': new URL('./empty.mjs', import.meta.url).href, ...entries };
  const times = Object.fromEntries(Object.keys(all).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, url] of Object.entries(all)) {
      times[name].push(Number(execFileSync(process.execPath, [script, url], { encoding: 'utf8' })));
    }
  }
  console.log(`\nImport in a fresh process, ms: median [min] of ${rounds}`);
  for (const [name, list] of Object.entries(times)) {
    const sorted = list.sort((left, right) => left - right);
    console.log(`  ${name.padEnd(26)} ${sorted[rounds >> 1].toFixed(1)} [${sorted[0].toFixed(1)}] ms`);
  }
}
