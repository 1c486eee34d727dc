import { describe, expect, it } from '@jest/globals';
import { releaseChunk } from '../../../src/infrastructure/sandbox/chunk-release.js';

describe('releaseChunk', () => {
  it('gives the memory of a large chunk back', () => {
    const chunk = Buffer.from(new ArrayBuffer(64 * 1024));
    releaseChunk(chunk);
    expect(chunk.buffer.byteLength).toBe(0);
  });

  it('leaves alone what others may use: small chunks and parts of a buffer', () => {
    const whole = Buffer.from(new ArrayBuffer(64 * 1024));
    for (const chunk of [Buffer.from('small'), whole.subarray(0, 32 * 1024)]) {
      const length = chunk.byteLength;
      releaseChunk(chunk);
      expect(chunk.byteLength).toBe(length);
    }
  });
});
