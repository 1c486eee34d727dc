import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LineSplitter } from '../../../src/infrastructure/mcp/line-splitter.js';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('LineSplitter', () => {
  it('gives the same lines however they are cut', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' ', '\r') });
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(200)), (lines, cuts) => {
        const whole = bytes(lines.map((one) => `${one}\n`).join(''));
        const edges = [0, ...cuts.filter((cut) => cut <= whole.length).sort((a, b) => a - b), whole.length];
        const splitter = new LineSplitter(1_000_000);
        const found = edges.flatMap((edge, at) => [
          ...splitter.split(whole.subarray(at === 0 ? 0 : edges[at - 1], edge)),
        ]);
        expect(found).toEqual(lines.map((one) => one.replace(/\r$/, '')));
      }),
    );
  });

  it('takes a long line byte by byte, and none that is too long', () => {
    const splitter = new LineSplitter(100_000);
    const one = bytes('x');
    let lines = 0;
    for (let sent = 0; sent < 100_000; sent += 1) lines += [...splitter.split(one)].length;
    expect(lines).toBe(0);
    expect(() => [...splitter.split(one)]).toThrow('more than 100000 bytes');
  });
});
