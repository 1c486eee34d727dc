import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTool } from '../../../src/domain/tool.js';
import { cutOutput, isLonger } from '../../../src/infrastructure/tools/cut-output.js';
import type { ToolHandler, ToolOutput } from '../../../src/ports/tool-handler.js';
import { FakeToolCalls } from '../../support/fake-tool-call.js';

describe('cutOutput', () => {
  it('keeps head and tail and says what is missing', () => {
    expect(cutOutput('0123456789', { maxBytes: 4 })).toEqual({
      text: '01\n[… 6 bytes cut …]\n89',
      truncated: { totalBytes: 10, keptBytes: 4 },
    });
  });

  it('names the file with the whole', () => {
    const { text, truncated } = cutOutput('x'.repeat(1_000_000), { maxBytes: 100, file: '/run/out.txt' });
    expect(text).toContain('[… 999,900 bytes cut; whole output in /run/out.txt …]');
    expect(truncated.file).toBe('/run/out.txt');
  });

  it('keeps nothing where nothing is allowed', () => {
    expect(cutOutput('abc', { maxBytes: 0 }).text).toBe('[… 3 bytes cut …]');
  });

  it('never splits a character and never keeps more than allowed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(40), (text, maxBytes) => {
        // What marks a split character must not be there from the start.
        fc.pre(isLonger(text, maxBytes) && !text.includes('\ufffd'));
        const { text: cut, truncated } = cutOutput(text, { maxBytes });
        const [head = '', tail = ''] = cut.split(/\n?\[… [\d,]+ bytes cut …\]\n?/u);
        expect(truncated.keptBytes).toBeLessThanOrEqual(maxBytes);
        expect(cut).not.toContain('\ufffd');
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      }),
    );
  });

  it('knows the length of a text in bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(60), (text, maxBytes) => {
        expect(isLonger(text, maxBytes)).toBe(Buffer.byteLength(text) > maxBytes);
      }),
    );
  });
});

describe('output over its limit', () => {
  const calls = new FakeToolCalls();
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-output-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const giving = (output: unknown): ToolHandler => ({
    tool: createTool({ name: 'long' }),
    run: () => output as ToolOutput,
  });

  it('is cut, and kept whole for its owner alone', async () => {
    const outputFile = join(folder, 'outputs', 'call.txt');
    const text = `begin${'é'.repeat(5000)}end`;
    const result = await calls.call(giving(text), {}, { maxOutputBytes: 1000, outputFile });
    expect(result).toMatchObject({
      success: true,
      truncated: { totalBytes: 10_008, file: outputFile },
    });
    expect(result.output).toMatch(/^begin.*whole output in .*end$/s);
    expect(readFileSync(outputFile, 'utf8')).toBe(text);
    expect(statSync(outputFile).mode & 0o777).toBe(0o600);
  });

  it('makes no file for what fits', async () => {
    const outputFile = join(folder, 'never.txt');
    await calls.call(giving('short'), {}, { maxOutputBytes: 5, outputFile });
    expect(() => statSync(outputFile)).toThrow('ENOENT');
  });

  it('says so when the whole cannot be kept, and answers all the same', async () => {
    const blocker = join(folder, 'a-file');
    writeFileSync(blocker, '');
    const options = { maxOutputBytes: 10, outputFile: join(blocker, 'out.txt') };
    const result = await calls.call(giving('x'.repeat(100)), {}, options);
    expect(result.success).toBe(true);
    expect(result.output).toContain('the whole could not be kept: ');
    expect(result.truncated).toEqual({ totalBytes: 100, keptBytes: 10 });
  });

  it('is not cut twice when the sandbox has cut it, and the file of the sandbox stays', async () => {
    const truncated = { totalBytes: 5000, keptBytes: 10, file: '/run/whole.txt' };
    const text = 'x'.repeat(5) + '[… cut by the sandbox …]'.padEnd(100) + 'y'.repeat(5);
    const result = await calls.call(giving({ text, truncated }), {}, { maxOutputBytes: 10 });
    expect(result).toMatchObject({ output: text, truncated });
    const longer = await calls.call(
      giving({ text: 'x'.repeat(9000), truncated }),
      {},
      { maxOutputBytes: 10 },
    );
    expect(longer.truncated).toEqual({ totalBytes: 9000, keptBytes: 10, file: '/run/whole.txt' });
  });

  it('leaves structured output out when that is over the limit as well', async () => {
    const rows = Array.from({ length: 1000 }, (_, row) => ({ row }));
    const result = await calls.call(giving({ rows }), {}, { maxOutputBytes: 200 });
    expect(result.data).toBeUndefined();
    expect(result.truncated?.totalBytes).toBeGreaterThan(10_000);
  });

  it('cuts the message of an error too', async () => {
    const throwing: ToolHandler = {
      tool: createTool({ name: 'long' }),
      run: () => Promise.reject(new Error('x'.repeat(1_000_000))),
    };
    const result = await calls.call(throwing, {});
    expect(result.error?.message.length).toBeLessThan(5000);
    expect(result.output.length).toBeLessThan(5000);
  });
});
