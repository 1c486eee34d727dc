const WORDS = new Set(
  `. : ! alias bg bind break builtin caller case cd command compgen complete continue coproc declare dirs disown do done
  elif else enable esac eval exec exit export fc fg fi for function getopts hash history if in jobs let local logout
  mapfile popd pushd read readarray readonly return select set shift shopt source suspend then time times trap type
  typeset ulimit umask unalias unset until wait while`.split(/\s+/),
);

/** Whether a name belongs to the shell itself: only used to say so, for nothing but programs is ever run. */
export function isShellWord(word: string): boolean {
  return WORDS.has(word);
}
