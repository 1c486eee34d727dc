const PLAIN = /^[A-Za-z0-9_@%+:,./-]+$/;

/** One word as every POSIX shell reads it back, whatever it holds. */
export function quoteWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
