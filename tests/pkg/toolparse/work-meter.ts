type Method = (this: never, ...args: never[]) => unknown;
type Cost = (self: unknown, args: readonly unknown[], result: unknown) => number;

const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0);
const whole: Cost = (self) => lengthOf(self);
const made: Cost = (_, __, result) => 1 + lengthOf(result);
const wanted: Cost = (_, [mark]) => 1 + lengthOf(mark);
const one: Cost = () => 1;
/** From where the search began to where it ended. */
const searched: Cost = (self, [, from], result) => {
  const start = typeof from === 'number' ? from : 0;
  return 1 + (typeof result === 'number' && result >= 0 ? result : lengthOf(self)) - start;
};

const STRING_COSTS: Readonly<Record<string, Cost>> = {
  charCodeAt: one,
  indexOf: searched,
  includes: whole,
  lastIndexOf: whole,
  startsWith: wanted,
  endsWith: wanted,
  slice: made,
  trim: whole,
  trimEnd: whole,
  split: whole,
  replace: whole,
  replaceAll: whole,
  search: whole,
  matchAll: whole,
};

/**
 * How many characters the methods of strings, patterns and JSON look at while `work` runs. What takes quadratic time
 * looks at quadratically many, on a busy machine as on an idle one, and on small inputs as on large ones.
 */
export function workOf(work: () => void): number {
  let total = 0;
  const undo: (() => void)[] = [];
  const watch = (owner: object, name: string, cost: Cost) => {
    const original = Reflect.get(owner, name) as Method;
    const watched = function (this: never, ...args: never[]): unknown {
      const result = Reflect.apply(original, this, args);
      total += cost(this, args, result);
      return result;
    };
    Reflect.set(owner, name, watched);
    undo.push(() => Reflect.set(owner, name, original));
  };
  for (const [name, cost] of Object.entries(STRING_COSTS)) watch(String.prototype, name, cost);
  watch(Array.prototype, 'join', made);
  watch(JSON, 'parse', (_, [text]) => lengthOf(text));
  watchPatterns((cost) => (total += cost), undo);
  try {
    work();
  } finally {
    for (const restore of undo) restore();
  }
  return total;
}

/** A pattern that sticks to its place looks at what it fits; any other looks on until it fits. */
function watchPatterns(add: (cost: number) => void, undo: (() => void)[]): void {
  const { exec } = RegExp.prototype;
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    const end = match ? match.index + match[0].length : text.length;
    add(1 + (this.sticky && !match ? 0 : Math.max(0, end - from)));
    return match;
  };
  undo.push(() => {
    RegExp.prototype.exec = exec;
  });
}

/** How much more work four times the text is: 4 in linear time, 16 in quadratic. */
export function growthOf(work: (times: number) => void): number {
  const once = workOf(() => work(1));
  return workOf(() => work(4)) / once;
}
