/** A line, with and without what it is indented by. */
export interface YamlLine {
  readonly raw: string;
  readonly body: string;
  readonly indent: number;
}

/** Reads the lines of a `|` or `>` scalar that stands below a line with this indent. */
export function readBlockScalar(
  lines: readonly YamlLine[],
  from: number,
  { header, indent }: { readonly header: string; readonly indent: number },
): { readonly value: string; readonly next: number } {
  const digit = /\d/.exec(header)?.[0];
  const width = digit === undefined ? firstIndent(lines, from) : indent + Number(digit);
  const content: string[] = [];
  let next = from;
  for (; next < lines.length; next += 1) {
    const line = lines[next];
    if (!line || (line.body !== '' && (line.indent <= indent || line.indent < width))) break;
    content.push(line.raw.slice(width));
  }
  const blank = trailingBlanks(content);
  const said = content.slice(0, content.length - blank);
  const text = header.startsWith('>') ? fold(said) : said.join('\n');
  return {
    value: text + ending(header, { isEmpty: said.length === 0, blank, isLast: next >= lines.length }),
    next,
  };
}

function firstIndent(lines: readonly YamlLine[], from: number): number {
  return lines.slice(from).find((line) => line.body !== '')?.indent ?? 0;
}

function trailingBlanks(lines: readonly string[]): number {
  let count = 0;
  while (count < lines.length && lines[lines.length - 1 - count]?.trim() === '') count += 1;
  return count;
}

/** `-` drops the last line break, `+` keeps them all, neither keeps one. */
function ending(
  header: string,
  { isEmpty, blank, isLast }: { readonly isEmpty: boolean; readonly blank: number; readonly isLast: boolean },
): string {
  if (header.includes('-')) return '';
  // The text behind the last line break is no line.
  if (header.includes('+')) return '\n'.repeat(Math.max(isEmpty ? 0 : 1, blank + (isLast ? 0 : 1)));
  return isEmpty ? '' : '\n';
}

/** Lines run together, except where they are indented or a blank one stands between. */
function fold(lines: readonly string[]): string {
  let text = '';
  let last = '';
  for (const [index, line] of lines.entries()) {
    text += index === 0 ? line : joint(lines[index - 1] ?? '', line, last) + line;
    if (line !== '') last = line;
  }
  return text;
}

/** What stands between two lines; `last` is the one before that says something. */
function joint(before: string, line: string, last: string): string {
  if (line === '' || /^\s/.test(line) || /^\s/.test(last)) return '\n';
  return before === '' ? '' : ' ';
}
