import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/domain/json.js';
import { LONGEST_LINE, toAuditLine } from '../../../src/infrastructure/audit/audit-line.js';

function lineFor(details: JsonObject, head: JsonObject = { event: 'tool.call' }): string {
  return toAuditLine({ head, details, tail: { seq: 1 }, cutMark: 'truncated' });
}

describe('toAuditLine', () => {
  it('puts head, details and tail into one object, in this order', () => {
    expect(lineFor({ tool: 'shell' })).toBe('{"event":"tool.call","tool":"shell","seq":1}');
    expect(lineFor({})).toBe('{"event":"tool.call","seq":1}');
  });

  it('keeps the head, the length and the hash of a text that is too long, and says so', () => {
    const output = 'ä'.repeat(100_000);
    const parsed = JSON.parse(lineFor({ output }));
    const hash = createHash('sha256').update(output).digest('hex');
    expect(parsed.truncated).toBe(true);
    expect(parsed.output).toMatch(/^ä{500,}…\[200000 bytes, sha256:[0-9a-f]{64}\]$/);
    expect(parsed.output).toContain(hash);
  });

  it('sums up thousands of small values', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key${index}`, index]));
    const parsed = JSON.parse(lineFor({ tool: 'shell', arguments: many }));
    expect(parsed).toMatchObject({ event: 'tool.call', tool: 'shell', truncated: true, seq: 1 });
    expect(parsed.arguments).toMatch(/^…\[\d+ bytes, sha256:[0-9a-f]{64}\]$/);
  });

  it('never cuts a character in half', () => {
    const parsed = JSON.parse(lineFor({ output: `a${'😀'.repeat(5_000)}` }));
    expect(parsed.output).not.toMatch(/\p{Cs}/u);
  });

  it('is one printable line of bounded length, whatever it is about', () => {
    const text = fc.string({ unit: 'binary', maxLength: 1_500, size: 'max' });
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    fc.assert(
      fc.property(fc.dictionary(key, fc.oneof(text, fc.array(text))), text, (details, name) => {
        const line = lineFor(details, { event: 'tool.call', workflow_name: name });
        expect(Buffer.byteLength(line)).toBeLessThan(LONGEST_LINE);
        expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(JSON.parse(line)).toMatchObject({ event: 'tool.call', seq: 1 });
      }),
      { numRuns: 30 },
    );
  });
});
