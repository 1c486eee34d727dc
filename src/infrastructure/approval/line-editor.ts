import { toVisible } from '../../domain/visible-text.js';
import { widthOf } from './text-block.js';

/** A line that is being written, before and behind the cursor; in characters, so that none is halved. */
export interface EditedLine {
  readonly left: readonly string[];
  readonly right: readonly string[];
}

type Change = (line: EditedLine) => EditedLine;

const toStart: Change = ({ left, right }) => ({ left: [], right: [...left, ...right] });
const toEnd: Change = ({ left, right }) => ({ left: [...left, ...right], right: [] });
const toLeft: Change = ({ left, right }) => ({
  left: left.slice(0, -1),
  right: [...left.slice(-1), ...right],
});
const toRight: Change = ({ left, right }) => ({
  left: [...left, ...right.slice(0, 1)],
  right: right.slice(1),
});
const erase: Change = ({ left, right }) => ({ left: left.slice(0, -1), right });
const eraseNext: Change = ({ left, right }) => ({ left, right: right.slice(1) });
const eraseToStart: Change = ({ right }) => ({ left: [], right });

/** What terminals send for the keys that move or erase. */
const KEYS: ReadonlyMap<string, Change> = new Map([
  ...['\x7f', '\b'].map((key) => [key, erase] as const),
  ...['\x1b[D', '\x1bOD', '\x02'].map((key) => [key, toLeft] as const),
  ...['\x1b[C', '\x1bOC', '\x06'].map((key) => [key, toRight] as const),
  ...['\x1b[H', '\x1bOH', '\x1b[1~', '\x01'].map((key) => [key, toStart] as const),
  ...['\x1b[F', '\x1bOF', '\x1b[4~', '\x05'].map((key) => [key, toEnd] as const),
  ['\x1b[3~', eraseNext],
  ['\x15', eraseToStart],
]);

/** The line after a key; whatever is neither a key nor a character that can be seen changes nothing. */
export function afterKey(line: EditedLine, key: string, longest: number): EditedLine {
  const change = KEYS.get(key);
  if (change) return change(line);
  const isFull = line.left.length + line.right.length >= longest;
  return toVisible(key) !== key || isFull ? line : { left: [...line.left, key], right: line.right };
}

/** The row of a screen that shows the line around the cursor; its beginning comes twice, to put the cursor there. */
export function rowOf({ left, right }: EditedLine, sign: string, columns: number): string {
  const room = Math.max(4, columns - sign.length - 1);
  const before = fitting(left.toReversed(), Math.ceil((room * 2) / 3))
    .reverse()
    .join('');
  const behind = fitting(right, room - widthOf(before)).join('');
  return `\r\x1b[K${sign}${before}${behind}\r${sign}${before}`;
}

function fitting(characters: readonly string[], columns: number): string[] {
  let width = 0;
  const first = characters.findIndex((character) => {
    width += widthOf(character);
    return width > columns;
  });
  return characters.slice(0, first === -1 ? characters.length : first);
}
