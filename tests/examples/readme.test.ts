import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { node } from './example-folder.js';
import { blocksOf } from './page.js';

describe('README.md', () => {
  it('has a program that runs as it stands', () => {
    const [program = ''] = blocksOf('README.md', 'js');
    const { status, out } = node('--input-type=module', '--eval', program);
    expect({ status, out }).toEqual({
      status: 0,
      out: expect.stringMatching(/^step-start\n[\s\S]*call-start\ncall-end\n[\s\S]*step-end\n$/),
    });
  });
});

describe('README.md and docs', () => {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' });
  const pages = [
    'README.md',
    ...docs.filter((name) => name.endsWith('.md')).map((name) => join('docs', name)),
  ];

  it.each(pages)('%s links only to files that are there', (page) => {
    expect(linksOf(page).filter((link) => !existsSync(join(dirname(page), link)))).toEqual([]);
  });
});

function linksOf(page: string): readonly string[] {
  const text = readFileSync(page, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target.replace(/#.*$/, ''));
  return targets.filter((target) => target !== '' && !/^[a-z]+:/i.test(target));
}
