import { describe, expect, it } from '@jest/globals';
import { readText } from '../../../src/interfaces/cli/read-bounded.js';
import { captureIo, stdinOf } from './fixture.js';

const read = (...chunks: readonly (string | Uint8Array)[]) =>
  readText('-', captureIo({ stdin: stdinOf(...chunks) }).io);

describe('readText', () => {
  it('reads standard input, also where a character is cut between two chunks', async () => {
    const bytes = Buffer.from('{"a":"é"}');
    expect(await read(bytes.subarray(0, 7), bytes.subarray(7))).toBe('{"a":"é"}');
  });

  it('stops reading what is larger than any argument', async () => {
    const chunk = new Uint8Array(6 * 1024 * 1024);
    await expect(read(chunk, chunk)).rejects.toMatchObject({
      code: 'USER.ARGUMENT.INVALID',
      message: 'standard input is larger than 10 MiB',
    });
  });

  it('refuses what is not text', async () => {
    await expect(read(Uint8Array.of(0xff, 0xfe))).rejects.toMatchObject({ code: 'USER.ARGUMENT.INVALID' });
  });

  it('says that a file is missing, or is a directory', async () => {
    const { io } = captureIo();
    await expect(readText('/no/such/file', io)).rejects.toMatchObject({ code: 'USER.FILE.NOT_FOUND' });
    await expect(readText('/', io)).rejects.toMatchObject({ code: 'USER.ARGUMENT.INVALID' });
  });
});
