/** A letter or digit before or behind, or a mark that joins words. */
const JOINED_BEFORE = /[\p{L}\p{N},;("'\u2018-\u201d]\s*$/u;
/** A Markdown link, reference or definition: `[now()](…)`, `[now()][1]`, `[now()]: …`; but no further list of calls. */
const LINK = /^(?:[(:]|\[(?!\s{0,8}[A-Za-z_][\w.-]*\s{0,8}\())/;
const MAYBE_LIST = /^\[\s{0,8}[\w.-]*\s{0,8}$/;
const JOINED_BEHIND = /^[ \t]*[\p{Ll}\p{N}]/u;
const PUNCTUATION = /^[.,;!?)"'\u2018-\u201d]/;
/** More blanks than this join nothing. */
const MAX_BLANKS = 64;

/** Whether words before this place, on its line, make it a part of their sentence. */
export function isJoinedBefore(line: string): boolean {
  return JOINED_BEFORE.test(line);
}

/** Whether what follows makes brackets a part of its sentence, or a link; undefined as long as that is not to be seen. */
export function isJoinedBehind(rest: string, startsLine: boolean): boolean | undefined {
  if (rest.length <= MAX_BLANKS && MAYBE_LIST.test(rest)) return undefined;
  if (LINK.test(rest) || (!startsLine && PUNCTUATION.test(rest))) return true;
  const isSeen = rest.length > MAX_BLANKS || /[^ \t]/.test(rest);
  return isSeen ? JOINED_BEHIND.test(rest) : undefined;
}
