import type { ParseResult, ToolSpec } from '../../../src/pkg/toolparse/index.js';

/** Tools that most tests declare. */
export const TOOLS: readonly ToolSpec[] = [
  {
    name: 'get_weather',
    description: 'The weather in a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' }, metric: { type: 'boolean' } },
      required: ['city'],
    },
  },
  {
    name: 'write_file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' }, meta: { type: 'object' } },
    },
  },
  { name: 'now' },
];

/** Calls by name and arguments alone. */
export function brief(result: ParseResult): readonly (readonly [string, unknown])[] {
  return result.calls.map((call) => [call.name, call.arguments] as const);
}

export function codes(result: ParseResult): readonly string[] {
  return result.problems.map(({ code }) => code);
}
