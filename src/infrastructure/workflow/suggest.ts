import { closest } from '../../domain/closest.js';

/** "did you mean `x`?", or what there is when nothing is close. */
export function didYouMean(word: string, candidates: readonly string[], what: string): string | undefined {
  const match = closest(word, candidates);
  if (match !== undefined) return `did you mean \`${match}\`?`;
  if (candidates.length === 0) return undefined;
  const shown = candidates.slice(0, 30).join(', ');
  return `${what}: ${shown}${candidates.length > 30 ? ', …' : ''}`;
}
