import { readFileSync } from 'node:fs';

/** The fenced blocks of a page, by what stands behind the three ticks. */
export function blocksOf(page: string, language: string): readonly string[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/^```(\S*)\n([\s\S]*?)^```$/gm)].flatMap(([, found, block = '']) =>
    found === language ? [block] : [],
  );
}
