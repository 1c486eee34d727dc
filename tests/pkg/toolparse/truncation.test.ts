import { describe, expect, it } from '@jest/globals';
import { listFormats, parseToolCalls } from '../../../src/pkg/toolparse/index.js';

const tools = [
  { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
];
const formats = listFormats().filter(({ kind, sameAs }) => kind === 'text' && sameAs === undefined);

describe('a text that is cut off', () => {
  it.each(formats.map(({ id, example }) => [id, example ?? ''] as const))(
    'never completes a call too early, in %s',
    (_, whole) => {
      for (let end = 1; end < whole.length; end += 1) {
        const text = whole.slice(0, end);
        for (const call of parseToolCalls(text, { tools }).calls) {
          const isWhole = JSON.stringify(call.arguments) === '{"city":"Oslo"}';
          expect([text, call.name, call.complete && !isWhole]).toEqual([text, 'get_weather', false]);
        }
      }
    },
  );

  it.each(formats.map(({ id, example }) => [id, example ?? ''] as const))(
    'is all there, as text or block, in %s',
    (_, whole) => {
      for (let end = 1; end < whole.length; end += 1) {
        const { calls, text } = parseToolCalls(whole.slice(0, end), { tools });
        const covered = calls.reduce((sum, call) => sum + call.end - call.start, 0);
        expect(text.length + covered).toBe(end);
      }
    },
  );
});
