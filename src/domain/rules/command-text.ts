/** Whatever could mean something to a shell. A rule speaks of words, so it has no use for any of it. */
const SYNTAX = /[|&;<>()$`\\"'*?[\]{}~#!\n\r\0]/;

/** The words of a rule's command. Throws an Error that says what is wrong with it. */
export function readCommandText(text: string): readonly string[] {
  const odd = SYNTAX.exec(text)?.[0];
  if (odd !== undefined) {
    throw new Error(
      `holds ${JSON.stringify(odd)}: a rule names words, not shell text; write a list of words`,
    );
  }
  const words = text.split(/\s+/).filter((word) => word !== '');
  checkWords(words);
  return words;
}

/** Refuses words that no command begins with. */
export function checkWords(words: readonly string[]): void {
  const [program] = words;
  if (program === undefined || program === '') throw new Error('names no program');
  if (/^\w+=/.test(program)) throw new Error('begins with a variable; a rule names the program');
}
