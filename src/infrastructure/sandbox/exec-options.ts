/** What is known of a program that may be listed: which of its arguments do more than its name promises. */
export interface ProgramRule {
  /**
   * Options that run programs, or write where no path shows it. `-o` is also found among other letters, `--output`
   * also in short, `-exec` only as it stands.
   */
  readonly deny?: readonly string[];
  /** Letters whose option takes a value: what follows in the same word is that value. */
  readonly valued?: string;
  /** More operands than this would be files to write. */
  readonly maxOperands?: number;
  /** All paths must be writable: always, or when one of these options is there. */
  readonly writes?: true | readonly string[];
  /** Arguments that are text, not paths: all of them, or the first operand unless one of the options stands for it. */
  readonly text?: 'all' | { readonly unless: readonly string[] };
  /** Options of the program's own that make it safe. */
  readonly prepend?: readonly string[];
  /** The first argument is a bundle of letters even without a dash. */
  readonly bundled?: true;
  /** Operands that must look like this, whatever else holds. */
  readonly operands?: RegExp;
  /** No operand may hold this. */
  readonly refuseText?: RegExp;
  /** The only options there may be. */
  readonly onlyOptions?: RegExp;
}

const WRITER: ProgramRule = { writes: true };
const TEXT_ONLY: ProgramRule = { text: 'all' };
const PATTERN_FIRST: ProgramRule = {
  text: { unless: ['-e', '-f', '--regexp', '--file', '--files'] },
  valued: 'ABCDdefm',
};

// Redirections, pipes, functions that run or read, and indirect calls; `||` and `>=` are none of these.
const AWK_ESCAPES = /\b(?:system|getline|ARGV|ARGC|ARGIND|PROCINFO)\b|@|(?<!\|)\|(?!\|)|>(?!=)|\\\s*\n/;
const AWK: ProgramRule = {
  onlyOptions: /^-[Fv]/,
  refuseText: AWK_ESCAPES,
  valued: 'Fv',
  text: { unless: [] },
};

const SPECIFIC: Readonly<Record<string, ProgramRule>> = {
  find: {
    deny: [
      ...['-exec', '-execdir', '-ok', '-okdir', '-delete', '-files0-from'],
      ...['-fprint', '-fprint0', '-fprintf', '-fls'],
    ],
  },
  fd: { deny: ['-x', '-X', '--exec', '--exec-batch'], text: { unless: ['--search-path'] } },
  rg: {
    ...PATTERN_FIRST,
    deny: ['-z', '--search-zip', '--pre', '--hostname-bin'],
    valued: 'ABCEMTdefgjmrt',
  },
  sort: { deny: ['-o', '--output', '--compress-program'], valued: 'STkt' },
  uniq: { maxOperands: 1, valued: 'fsw' },
  xxd: { maxOperands: 1, valued: 'clgosn' },
  sed: {
    prepend: ['--sandbox'],
    writes: ['-i', '--in-place'],
    valued: 'efl',
    text: { unless: ['-e', '-f', '--expression', '--file'] },
  },
  awk: AWK,
  tar: {
    deny: [
      ...['-x', '--extract', '--get', '-P', '--absolute-names', '-F', '--info-script', '--new-volume-script'],
      ...['-I', '--use-compress-program', '--to-command', '--checkpoint-action', '--rsh-command'],
      ...['--rmt-command'],
    ],
    bundled: true,
    writes: [
      '-c',
      '-r',
      '-u',
      '-A',
      '--create',
      '--append',
      '--update',
      '--catenate',
      '--concatenate',
      '--delete',
    ],
    valued: 'fbCTXgKLNVHM',
  },
  date: { deny: ['-s', '--set'], valued: 'dfrs', operands: /^\+/ },
  hostname: { deny: ['-F', '-b', '--file', '--boot'], maxOperands: 0 },
  install: { ...WRITER, deny: ['-s', '--strip', '--strip-program'], valued: 'gmotS' },
  split: { ...WRITER, deny: ['--filter'] },
  tree: { deny: ['-o', '-R'], valued: 'LPIHT' },
  file: { deny: ['-C', '--compile'] },
  yq: { deny: ['-s', '--split-exp'], writes: ['-i', '--inplace'], text: { unless: ['-f', '--from-file'] } },
  jq: { text: { unless: ['-f', '-L', '--from-file', '--library-path'] } },
  xmllint: { deny: ['--output', '--shell', '-o'] },
};

/** Names that mean the same program, or follow the same rule. */
const SHARED: readonly (readonly [rule: ProgramRule, names: string])[] = [
  [SPECIFIC.fd ?? {}, 'fdfind'],
  [AWK, 'gawk mawk nawk original-awk goawk'],
  [PATTERN_FIRST, 'grep egrep fgrep'],
  [SPECIFIC.sed ?? {}, 'gsed'],
  [SPECIFIC.tar ?? {}, 'gtar'],
  [
    WRITER,
    `cp mv ln link touch mkdir rmdir rm unlink truncate chmod chown chgrp dd tee csplit mkfifo shred sponge mktemp
     gzip gunzip bzip2 bunzip2 xz unxz lzma zstd unzstd compress uncompress dos2unix unix2dos setfacl setfattr chattr`,
  ],
  [
    TEXT_ONLY,
    `echo printf true false seq sleep expr basename dirname tr pwd whoami id groups uname nproc arch yes
     logname tty printenv`,
  ],
];

const RULES: ReadonlyMap<string, ProgramRule> = new Map([
  ...Object.entries(SPECIFIC),
  ...SHARED.flatMap(([rule, names]) => names.split(/\s+/).map((name) => [name, rule] as const)),
]);

/** What is known of a program; of an unknown one only its paths are checked. */
export function ruleFor(name: string): ProgramRule {
  return RULES.get(name) ?? {};
}
