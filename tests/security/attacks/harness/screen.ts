import type { AttackCase } from './attack-case.js';
import { type Evidence, failureOf } from './evidence.js';

/** Everything a terminal acts on, reorders or does not show. Our own line feeds are the only ones allowed. */
const DECEPTIVE = /(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const MIXED = /\p{Script=Cyrillic}|\p{Script=Greek}/u;

/** Whether a case is about what the person who approves gets to see. */
export function isAboutDisplay({ area }: AttackCase): boolean {
  return area === 'approval';
}

/** What is wrong with what the person saw: it acts on the terminal, it hides something, or it is not the plan. */
export function displayProblem({ input, must }: AttackCase, evidence: Evidence): string | undefined {
  const { screen, asked } = evidence;
  // What is refused is not shown, so there is nothing to be deceived by.
  if (asked.length === 0) return failureOf(evidence) ? undefined : 'nothing was shown';
  if (must !== 'sanitize') return undefined;
  const odd = DECEPTIVE.exec(screen);
  if (odd) return `U+${odd[0].codePointAt(0)?.toString(16)} reached the terminal`;
  return hiddenProblem(String(input.command ?? input.path), evidence);
}

/** What was asked about must be there word for word, as it was planned. */
function hiddenProblem(command: string, { screen, asked }: Evidence): string | undefined {
  const isMarked = screen.includes('⚠ mixed scripts');
  if (MIXED.test(command) && !isMarked) return 'letters that look alike are not marked';
  const action = asked.at(-1)?.plan.action;
  const wanted = action && 'path' in action ? action.path : command;
  const shown = unescaped(screen);
  return shown.includes(wanted) ? undefined : `only this is shown: ${shown}`;
}

/** What stands behind the gutter, put together and read back: the text that a careful person sees. */
function unescaped(screen: string): string {
  return [...screen.matchAll(/│(.)(.*)/gu)]
    .map(([, mark, text]) => (mark === '↪' ? text : `\n${text}`))
    .join('')
    .replaceAll(/\\u\{20\}×(\d+)/g, (_, count: string) => ' '.repeat(Number(count)))
    .replaceAll(/\\u\{([0-9a-f]+)\}/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replaceAll('→   ', '\t');
}
