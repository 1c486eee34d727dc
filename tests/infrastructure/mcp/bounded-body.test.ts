import { describe, expect, it } from '@jest/globals';
import { boundedBody } from '../../../src/infrastructure/mcp/bounded-body.js';

const MEGABYTE = 'x'.repeat(1024 * 1024);

async function* sent(text: string, times: number): AsyncGenerator<Uint8Array> {
  for (let sentSoFar = 0; sentSoFar < times; sentSoFar += 1) yield Buffer.from(text);
}

async function lengthOf(body: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const chunk of body) length += chunk.length;
  return length;
}

describe('boundedBody', () => {
  it.each(['\n\n', '\r\r', '\r\n\r\n'])('lets any number of events through that end with %j', async (end) => {
    const event = `data: ${MEGABYTE}${end}`;
    expect(await lengthOf(boundedBody(sent(event, 20), true))).toBe(20 * event.length);
  });

  it.each([
    ['a body without end', MEGABYTE, false],
    ['a body of events that is none', `${MEGABYTE}\n\n`, false],
    ['a line without end', MEGABYTE, true],
    ['an event without end', `data: ${MEGABYTE}\n`, true],
    ['an event without end, of other lines', `data: ${MEGABYTE}\r\n`, true],
    ['an event without end, of old lines', `data: ${MEGABYTE}\r`, true],
  ])('ends %s', async (_, text, isEvents) => {
    await expect(lengthOf(boundedBody(sent(text, 20), isEvents))).rejects.toThrow('a message of more than');
  });
});
