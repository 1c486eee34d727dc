import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readProgramFile } from '../../../../../src/infrastructure/sandbox/bubblewrap/strict/program-file.js';

describe('readProgramFile', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'program-file-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = (content: string | Buffer) => {
    writeFileSync(join(folder, 'file'), content);
    return readProgramFile(join(folder, 'file'));
  };
  /** An ELF header whose table of segments begins right after it. */
  const elf = (segments: number, table: Buffer) => {
    const header = Buffer.alloc(64);
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(header);
    header.writeBigUInt64LE(64n, 32);
    header.writeUInt16LE(56, 54);
    header.writeUInt16LE(segments, 56);
    return Buffer.concat([header, table]);
  };
  const interpreter = (offset: bigint, length: bigint) => {
    const entry = Buffer.alloc(56);
    entry.writeUInt32LE(3, 0);
    entry.writeBigUInt64LE(offset, 8);
    entry.writeBigUInt64LE(length, 32);
    return entry;
  };

  it('finds the loader of the running Node', () => {
    const file = readProgramFile(realpathSync(process.execPath));
    expect(file).toEqual({ kind: 'dynamic', loader: expect.stringMatching(/^\/.*ld/) });
  });

  it('reads loader and script from the head of a file', () => {
    const path = '/lib/ld.so\0';
    const program = elf(1, Buffer.concat([interpreter(120n, BigInt(path.length)), Buffer.from(path)]));
    expect(read(program)).toEqual({ kind: 'dynamic', loader: '/lib/ld.so' });
    expect(read(elf(1, Buffer.alloc(56)))).toEqual({ kind: 'static' });
    expect(read('#! /usr/bin/env -S node\nx')).toEqual({
      kind: 'script',
      interpreter: '/usr/bin/env -S node',
    });
  });

  it('takes nothing for granted in a file that is broken', () => {
    const unknown = { kind: 'unknown' };
    for (const content of [
      '',
      'echo hi\n',
      Buffer.from([0x7f, 0x45, 0x4c, 0x46]),
      elf(65_535, Buffer.alloc(0)),
    ])
      expect(read(content)).toEqual(unknown);
    expect(read(elf(1, interpreter(2n ** 63n, 8n)))).toEqual(unknown);
    expect(read(elf(1, interpreter(120n, 2n ** 40n)))).toEqual(unknown);
    expect(read(elf(1, interpreter(9_999n, 8n)))).toEqual(unknown);
  });
});
