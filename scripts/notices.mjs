// The licences of the packages that are bundled, as those licences ask.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** One text for the files that a bundle was made of; a package without a licence to quote is an error. */
export function noticesOf(files) {
  const folders = [...new Set(files.flatMap((file) => PACKAGE.exec(file)?.[1] ?? []))].sort();
  const notices = folders.map(noticeOf);
  return `This package contains code of these packages:\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} has no licence file in ${folder}`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
