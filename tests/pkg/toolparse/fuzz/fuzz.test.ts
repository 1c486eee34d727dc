import { describe, expect, it } from '@jest/globals';
import { createToolCallStream, listFormats, parseToolCalls } from '../../../../src/pkg/toolparse/index.js';
import { cut, mutant, randomFrom, randomOptions } from './mutants.js';

/** How many inputs: a sample in every run, a million by `TOOLGATE_FUZZ=1000000`. */
const COUNT = Number(process.env.TOOLGATE_FUZZ ?? 4000);
const SEED = Number(process.env.TOOLGATE_FUZZ_SEED ?? 20_261_116);
/** Inputs are at most 4 KB; whatever is linear reads one in a millisecond or so of its own time. */
const SLOW_MICROSECONDS = 1_000_000;
const WIRE = new Set(listFormats().flatMap(({ id, kind }) => (kind === 'wire' ? [id] : [])));

function readOne(turn: number): void {
  const random = randomFrom(SEED + turn);
  const text = mutant(random);
  const options = randomOptions(random);
  const started = process.cpuUsage();
  const whole = parseToolCalls(text, options);
  if (process.cpuUsage(started).user > SLOW_MICROSECONDS) throw new Error(`slow on ${JSON.stringify(text)}`);
  const stream = createToolCallStream(options);
  const told = cut(text, random)
    .flatMap((chunk) => stream.push(chunk))
    .map((event) => (event.type === 'text-delta' ? event.text : ''))
    .join('');
  const result = stream.end();
  const isSame = JSON.stringify(result) === JSON.stringify(whole) && whole.text.startsWith(told);
  const blocks = new Map(whole.calls.map(({ start, end }) => [start, end]));
  const covered = [...blocks].reduce((sum, [start, end]) => sum + end - start, 0);
  const isWire = WIRE.has(whole.format) || whole.calls.some(({ format }) => WIRE.has(format));
  const isWhole = isWire || /data:|event:/.test(text) || whole.text.length + covered === text.length;
  if (!isSame || !isWhole) {
    throw new Error(
      `input ${turn}: ${JSON.stringify({ text, options: { ...options, tools: options.tools?.length }, whole, result, told })}`,
    );
  }
}

describe('any input', () => {
  it(`is read without a throw, in linear time, and the same in every cutting (${COUNT} inputs)`, () => {
    for (let turn = 0; turn < COUNT; turn += 1) readOne(turn);
    expect(COUNT).toBeGreaterThan(0);
  }, 7_200_000);
});
