import type { Readable } from 'node:stream';
import { releaseChunk } from './chunk-release.js';
import type { OutputCollector } from './output-collector.js';

/** Hands what a process writes to a collector, which reads as fast as it comes: a full pipe never stops it. */
export function collectOutput(output: Readable, collector: OutputCollector): void {
  output.on('data', (chunk: Buffer) => {
    collector.push(chunk);
    releaseChunk(chunk);
  });
}
