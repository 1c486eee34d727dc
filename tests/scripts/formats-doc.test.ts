import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { TEXT_FORMATS, WIRE_FORMATS } from '../../src/pkg/toolparse/formats/format-table.js';
import { listFormats, parseToolCalls } from '../../src/pkg/toolparse/index.js';

const page = readFileSync('docs/formats.md', 'utf8');
const examples = [...WIRE_FORMATS, ...TEXT_FORMATS].map(({ id, example }) => [id, example] as const);

describe('docs/formats.md', () => {
  it('is what scripts/formats-doc.mjs makes of the table: run it when this fails', async () => {
    const script = await import(pathToFileURL(resolve('scripts/formats-doc.mjs')).href);
    expect(script.fillPage(page, listFormats())).toBe(page);
    expect(() => script.fillPage('# Formats', listFormats())).toThrow('has no place for "wire formats"');
  });

  it.each(examples)('has an example of %s that is read as one whole call', (id, example) => {
    if (!example) throw new Error(`${id} has no example`);
    const { name, arguments: args, text } = example;
    const tools = [{ name, parameters: { type: 'object', properties: { city: { type: 'string' } } } }];
    for (const format of ['auto', id]) {
      const { calls } = parseToolCalls(text, { format, tools });
      expect(calls).toMatchObject([{ name, arguments: args, repaired: false, complete: true }]);
      if (format === id) expect(calls).toMatchObject([{ format: id }]);
    }
  });
});
