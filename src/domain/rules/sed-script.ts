const ADDRESS = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/[IM]*)`;
const PREFIX = new RegExp(String.raw`(?:[\s;{}!]|${ADDRESS}(?:\s*[,~]\s*[+~]?${ADDRESS})?)+`, 'ys');
const PLAIN = /[=dDgGhHnNpPxlqQzF]\d*/y;
/** A name of a line to go to. */
const LABEL = /[:btT][^\n;]*/y;
const COMMENT = /#[^\n]*/y;
/** A text to put in: up to the end of a line that does not end in a backslash. */
const TEXT = /[aic](?:\\.|[^\n\\])*/sy;
const FLAGS = /[gpiIMm\d]*/y;

/**
 * Whether a sed script does nothing but edit: it runs nothing (`e`, the flag `e`) and neither reads nor writes another
 * file (`r`, `w`). What is not understood is not plain.
 */
export function isPlainSedScript(script: string): boolean {
  for (let at = 0; ; ) {
    at = end(PREFIX, script, at) ?? at;
    if (at >= script.length) return true;
    const after = afterCommand(script, at);
    if (after === undefined) return false;
    at = after;
  }
}

function afterCommand(script: string, at: number): number | undefined {
  const letter = script[at] ?? '';
  if (letter === 's' || letter === 'y') return afterSubstitution(script, at);
  return [PLAIN, LABEL, COMMENT, TEXT]
    .map((each) => end(each, script, at))
    .find((found) => found !== undefined);
}

/** `s/a/b/g`, with any character in the place of the slash. */
function afterSubstitution(script: string, at: number): number | undefined {
  const mark = script[at + 1];
  if (mark === undefined || /[\\\n]/.test(mark)) return undefined;
  const first = afterMark(script, at + 2, mark);
  const second = first === undefined ? undefined : afterMark(script, first, mark);
  if (second === undefined) return undefined;
  const after = end(FLAGS, script, second) ?? second;
  return after === script.length || /[\s;}]/.test(script[after] ?? '') ? after : undefined;
}

function afterMark(script: string, from: number, mark: string): number | undefined {
  for (let at = from; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === mark) return at + 1;
  }
  return undefined;
}

function end(pattern: RegExp, script: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(script) && pattern.lastIndex > at ? pattern.lastIndex : undefined;
}

const SCRIPT = /^(?:-[nErsuz]*e|--e[a-z]*=?)(.*)$/s;
const SCRIPT_FILE = /^(?:-[nErsuz]*f|--fi)/;
const LINE_LENGTH = /^(?:-[nErsuz]*l|--l[a-z-]*)$/;

/** The scripts that a sed command is given: by its options, or as its first operand. */
export function sedScripts(args: readonly string[]): readonly string[] {
  const given: string[] = [];
  const operands: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    const script = SCRIPT.exec(word)?.[1];
    if (script !== undefined) given.push(script || (args[++index] ?? ''));
    else if (LINE_LENGTH.test(word)) index += 1;
    else if (!word.startsWith('-')) operands.push(word);
  }
  return given.length > 0 || args.some((word) => SCRIPT_FILE.test(word)) ? given : operands.slice(0, 1);
}
