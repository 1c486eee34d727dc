/** A member's name or an element's index. */
export type PathStep = string | number;

const STEP = /\.([^.[\]]+)|\[(\d{1,6})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** Deeper than arguments are; a bound on the work that one path can ask for. */
const MAX_STEPS = 64;

/** The steps of a path such as `$.a[0]['b c']`; undefined when it is none. */
export function parseJsonPath(path: string): readonly PathStep[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const steps: PathStep[] = [];
  let at = 1;
  while (at < path.length) {
    if (steps.length === MAX_STEPS) return undefined;
    STEP.lastIndex = at;
    const match = STEP.exec(path);
    if (!match) return undefined;
    at += match[0].length;
    const [, member, index, single, double] = match;
    if (index !== undefined) steps.push(Number(index));
    else steps.push(member ?? unquote(single ?? double ?? ''));
  }
  return steps;
}

function unquote(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
