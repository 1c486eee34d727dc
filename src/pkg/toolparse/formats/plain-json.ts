import type { FormatDeclaration } from './declaration.js';

const EXAMPLE = { name: 'get_weather', arguments: { city: 'Oslo' } };

/** JSON that nothing marks as a call: it counts only when it names a declared tool and looks like nothing else. */
export const PLAIN_JSON: readonly FormatDeclaration[] = [
  {
    id: 'fenced_json',
    title: 'JSON in a code fence',
    models: ['any prompted model'],
    open: '```{word}',
    close: '```',
    body: { kind: 'json' },
    declaredOnly: true,
    result: { open: '```tool_result', close: '```', body: 'json' },
    example: {
      ...EXAMPLE,
      text: '```json\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n```',
    },
  },
  {
    id: 'bare_json',
    title: 'JSON in plain text: one call, an array of calls, or calls separated by semicolons',
    models: ['Llama 3', 'xLAM', 'any prompted model'],
    open: '',
    body: { kind: 'json' },
    declaredOnly: true,
    result: { open: '```tool_result', close: '```', body: 'json' },
    example: { ...EXAMPLE, text: '{"name": "get_weather", "arguments": {"city": "Oslo"}}' },
  },
];
