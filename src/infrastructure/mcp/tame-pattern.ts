const MAX_LENGTH = 500;
const MAX_OPTIONAL = 4;

/**
 * Whether a stranger's pattern is of a kind that no text can make slow: at most one part of it repeats without a fixed
 * count, no group does, and only one group offers a choice. What is not is for the server itself to check.
 */
export function isTame(pattern: string): boolean {
  if (pattern.length > MAX_LENGTH || /\\[1-9k]/.test(pattern)) return false;
  // What is escaped, and what a class lists, is one character.
  const plain = pattern.replace(/\\(?:[up]\{[^}]*\}|.)/gis, 'c').replace(/\[[^\]]*\]/g, 'c');
  const looksAround = /\(\?(?!:)/.test(plain);
  const repeatsGroup = /\)[*+?{]/.test(plain);
  if (looksAround || repeatsGroup) return false;
  const atoms = plain.replaceAll('(?:', '(');
  const repeats = count(atoms, /[*+]\??|\{\d*,\d*\}\??/g);
  const optional = count(atoms.replace(/[*+}]\?/g, ''), /\?/g);
  const groups = count(atoms, /\(/g);
  return repeats <= 1 && optional <= MAX_OPTIONAL && (groups <= 1 || !atoms.includes('|'));
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
