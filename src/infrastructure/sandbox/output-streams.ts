import type { Readable } from 'node:stream';
import { releaseChunk } from './chunk-release.js';
import type { OutputCollector } from './output-collector.js';

/** Hands both streams of a process to a collector, which reads as fast as they come: a full pipe never stops it. */
export function collectOutput(
  { stdout, stderr }: { readonly stdout: Readable; readonly stderr: Readable },
  collector: OutputCollector,
): void {
  const collect = (stream: string) => (chunk: Buffer) => {
    collector.push(stream, chunk);
    releaseChunk(chunk);
  };
  stdout.on('data', collect('stdout'));
  stderr.on('data', collect('stderr'));
}
