const MAX_ALTERNATIVES = 64;

/** A pattern with each choice of its `{a,b}` written out, up to a bound. Throws an Error for braces that are no list. */
export function alternativesOf(pattern: string): readonly string[] {
  const done: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const group = firstGroup(next);
    if (!group) done.push(next);
    else waiting.push(...group.choices.map((choice) => `${group.before}${choice}${group.after}`).reverse());
    if (done.length + waiting.length > MAX_ALTERNATIVES) {
      throw new Error(`has more than ${MAX_ALTERNATIVES} alternatives`);
    }
  }
  return done;
}

interface Group {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

function firstGroup(text: string): Group | undefined {
  const marks = [...text.matchAll(/\\.|[{},]/gs)].filter(([mark]) => mark.length === 1);
  // A comma outside of braces is a comma.
  const from = marks.findIndex(([mark]) => mark !== ',');
  if (from < 0) return undefined;
  if (marks[from]?.[0] === '}') throw new Error('has a "}" without a "{"; write \\} for the character');
  const group = groupAt(text, marks.slice(from));
  if (group.choices.length > 1 && !group.choices.some((choice) => choice.includes('..'))) return group;
  throw new Error('has braces that are no list such as {a,b}');
}

function groupAt(text: string, marks: readonly RegExpExecArray[]): Group {
  const start = marks[0]?.index ?? 0;
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (const { 0: mark, index } of marks) {
    if (mark === '{') depth += 1;
    else if (depth === 1) {
      choices.push(text.slice(from, index));
      from = index + 1;
    }
    if (mark === '}') depth -= 1;
    if (depth === 0) return { before: text.slice(0, start), choices, after: text.slice(index + 1) };
  }
  throw new Error('has a "{" that is never closed; write \\{ for the character');
}
