import type { Json } from '../../../domain/json.js';
import type { RecordedRequest } from './recorded-exchange.js';

const MOST_LINES = 40;
const LONGEST_LINE = 300;
/** Messages after the first that differs, which mostly differ because that one does. */
const SHOWN_MESSAGES = 2;

/** How a request differs from the recorded one, in a few lines; nothing when it does not. */
export async function describeDifference(
  recorded: RecordedRequest,
  asked: RecordedRequest,
): Promise<string | undefined> {
  const parts = [
    messagesThatDiffer(recorded.messages, asked.messages),
    whereDifferent('tools', recorded.tools, asked.tools),
    whereDifferent('options', recorded.options, asked.options),
  ].flatMap((part) => part ?? []);
  if (parts.length === 0) return undefined;
  const { diffLines } = await import('diff');
  const shown = parts.flatMap(({ title, before, after }) => [
    `${title}:`,
    ...diffLines(before, after).flatMap(changedLines),
  ]);
  const cut = shown.map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
  const more = cut.length - MOST_LINES;
  return [...cut.slice(0, MOST_LINES), ...(more > 0 ? [`… and ${more} more lines`] : [])].join('\n');
}

interface Part {
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

function messagesThatDiffer(recorded: readonly string[], asked: readonly string[]): Part | undefined {
  const length = Math.max(recorded.length, asked.length);
  let first = 0;
  while (first < length && recorded[first] === asked[first]) first += 1;
  if (first === length) return undefined;
  const shown = (messages: readonly string[]): string =>
    messages
      .slice(first, first + SHOWN_MESSAGES)
      .map(readable)
      .join('');
  return { title: `message ${first + 1}`, before: shown(recorded), after: shown(asked) };
}

function whereDifferent(title: string, before: string, after: string): Part | undefined {
  return before === after ? undefined : { title, before: readable(before), after: readable(after) };
}

/** A value a line, and the lines of a text as lines, so that what changed in it can be seen. */
function readable(text: string): string {
  return `${JSON.stringify(JSON.parse(text) as Json, null, 2).replaceAll('\\n', '\n    ')}\n`;
}

function changedLines(change: {
  readonly value: string;
  readonly added: boolean;
  readonly removed: boolean;
}): string[] {
  const mark = change.added ? '+' : change.removed ? '-' : undefined;
  // Of what is the same, only what stands beside a change helps to find it.
  const lines = change.value.replace(/\n$/, '').split('\n');
  return mark ? lines.map((line) => `${mark} ${line}`) : lines.slice(-1).map((line) => `  ${line}`);
}
