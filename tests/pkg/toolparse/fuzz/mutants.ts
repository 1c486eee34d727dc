import { listFormats, type ParseOptions } from '../../../../src/pkg/toolparse/index.js';
import { TOOLS } from '../fixtures.js';

/** A source of numbers from 0 to 1 that gives the same ones for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const EXAMPLES = listFormats().flatMap(({ example }) => (example === undefined ? [] : [example]));
/** Whole calls, broken ones, prose, and things that open much and close little. */
const SEEDS: readonly string[] = [
  ...EXAMPLES,
  ...EXAMPLES.map((example) => `Let me look. ${example} Then:\n${example}`),
  '<tool_call>{"name":"write_file","arguments":{"content":"</tool_call> \\"😀\\" \\\\"}}</tool_call>',
  "<tool_call>{'name': 'now', 'arguments': {'a': None, b: [1,2,}}",
  '<tool_call><function=write_file><parameter=content>\n<parameter=x>\n</function></tool_call></parameter></function>',
  '<write_file><path>a</path><content><b>x</b></content></write_file>',
  '<get_weather>\ncity: |\n  a\n  b\ndays: 3\n</get_weather>',
  'get_weather\n<city>Oslo</city>\n',
  "[get_weather(city='Martha's \"x\"', days=-1), now()]",
  '<think>maybe <tool_call>{"name":"now"}</tool_call></think>',
  'Prose with `<tool_call>` and {braces} and [brackets] and <b>tags</b>.',
  'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"now","arguments":"{}"}}]}}]}\n\n',
];
/** What marks are made of, and what breaks them. */
const PIECES: readonly string[] = [
  ...new Set(
    EXAMPLES.flatMap((example) => example.match(/<[^<>]*>|\[[A-Z_]+\]|```\w*|[{}[\]()"',:;\\]|\w+/g) ?? []),
  ),
  ...[
    '\n',
    '\n\n',
    ' ',
    '\t',
    '\r\n',
    '😀',
    '\ud83d',
    '\u0000',
    '`',
    '```',
    '<![CDATA[',
    ']]>',
    '&lt;',
    '&amp;',
    '...',
  ],
  ...[
    '</',
    '<',
    '/>',
    '"""',
    "'''",
    '\\u00',
    '\\',
    '|',
    '>-',
    '- ',
    ': ',
    '#',
    '//',
    '/*',
    'None',
    'True',
    '__proto__',
  ],
];

/** A text that a model might have written on a bad day. */
export function mutant(random: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  let text = random() < 0.15 ? '' : pick(SEEDS);
  if (random() < 0.3) text += pick(SEEDS);
  const count = Math.floor(random() * 6);
  for (let turn = 0; turn < count; turn += 1) text = mutate(text, random, pick);
  return text.slice(0, 4000);
}

function mutate(text: string, random: () => number, pick: <T>(list: readonly T[]) => T): string {
  const at = Math.floor(random() * (text.length + 1));
  const length = Math.floor(random() * random() * 40);
  const kind = Math.floor(random() * 7);
  if (kind === 0) return text.slice(0, at) + text.slice(at + length);
  if (kind === 1) return text.slice(0, at);
  if (kind === 2) return text.slice(at);
  if (kind === 3) return text.slice(0, at) + text.slice(at, at + length).repeat(2) + text.slice(at + length);
  if (kind === 4) return text.slice(0, at) + pick(SEEDS).slice(0, length * 4) + text.slice(at);
  return text.slice(0, at) + pick(PIECES) + text.slice(kind === 5 ? at : at + 1);
}

const REASONING = ['ignore', 'use', 'prefilled'] as const;
const UNDECLARED = [undefined, 'drop-forbidden', 'drop', 'keep'] as const;
const FORMATS = listFormats().map(({ id }) => id);

/** Options as callers mix them. */
export function randomOptions(random: () => number): ParseOptions {
  const isNamed = random() < 0.2;
  return {
    tools: random() < 0.75 ? TOOLS : undefined,
    reasoning: REASONING[Math.floor(random() * 3)] ?? 'ignore',
    unknownTools: random() < 0.8 ? 'keep' : 'drop',
    unusableCalls: random() < 0.8 ? 'drop' : 'keep',
    undeclaredArguments: UNDECLARED[Math.floor(random() * UNDECLARED.length)],
    ...(isNamed ? { format: FORMATS[Math.floor(random() * FORMATS.length)] ?? 'auto' } : {}),
  };
}

/** Cuts by UTF-16 unit, so that pairs of surrogates are cut, too. */
export function cut(text: string, random: () => number): string[] {
  const most = random() < 0.4 ? 1 : 1 + Math.floor(random() * 40);
  const chunks: string[] = [];
  for (let at = 0; at < text.length; ) {
    const size = 1 + Math.floor(random() * most);
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}
