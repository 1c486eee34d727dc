import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OutputCollector } from '../../../src/infrastructure/sandbox/output-collector.js';
import { MAX_SPILL_BYTES } from '../../../src/infrastructure/sandbox/output-spill.js';

describe('OutputCollector', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'output-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const collect = (text: string, sizes: readonly number[], maxBytes: number, file?: string) => {
    const collector = new OutputCollector(maxBytes, file);
    const bytes = Buffer.from(text);
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1;
      collector.push(bytes.subarray(at, at + size));
      at += size;
    }
    return collector.finish();
  };

  it('gives back what fits, however it was cut into chunks', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
    const whole = (text: string, cut: readonly number[]) => collect(text, cut, 10_000).output === text;
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), sizes, whole));
  });

  it('keeps head and tail of what does not fit, as whole characters', () => {
    const property = (text: string, size: number, maxBytes: number) => {
      const total = Buffer.byteLength(text);
      const { output, truncated } = collect(text, [size], maxBytes);
      if (total <= maxBytes) return output === text && truncated === undefined;
      const [head = '', tail = ''] = output.split(/\n\[… \d+ of \d+ bytes cut …\]\n/);
      const kept = Buffer.byteLength(head) + Buffer.byteLength(tail);
      return (
        text.startsWith(head) &&
        text.endsWith(tail) &&
        kept <= maxBytes &&
        truncated?.keptBytes === kept &&
        truncated.totalBytes === total
      );
    };
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀'), maxLength: 100 });
    fc.assert(fc.property(text, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 60 }), property));
  });

  it('writes the whole to a file, but only when it is needed', () => {
    const file = join(folder, 'out.txt');
    collect('short', [2], 10, file);
    expect(existsSync(file)).toBe(false);
    const text = 'é'.repeat(500);
    const { truncated } = collect(text, [3], 10, file);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(truncated).toEqual({ totalBytes: 1000, keptBytes: truncated?.keptBytes, file });
  });

  it('never writes over a file or through a link, and says that nothing was kept', () => {
    const precious = join(folder, 'precious');
    writeFileSync(precious, 'mine');
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'));
    for (const file of [precious, join(folder, 'link'), join(folder, 'none', 'out.txt')]) {
      const { output, truncated } = collect('x'.repeat(100), [10], 10, file);
      expect(truncated).toEqual({ totalBytes: 100, keptBytes: 10 });
      expect(output).toContain('could not be written (E');
    }
    expect(readFileSync(precious, 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
  });

  it('ends a file that grows too large, and says so in both places', () => {
    const file = join(folder, 'out.txt');
    const collector = new OutputCollector(10, file);
    const chunk = Buffer.alloc(8 * 1024 * 1024, 'x');
    for (let count = 0; count < 10; count++) collector.push(chunk);
    expect(collector.finish().output).toContain(`the file ends after ${MAX_SPILL_BYTES} bytes`);
    expect(statSync(file).size).toBeLessThan(MAX_SPILL_BYTES + 200);
  });
});
