/** What is known of a program that may be listed: which of its arguments do more than its name promises. */
export interface ProgramRule {
  /** Options that run other programs. `-x` is also found among other letters, `--exec` also in short, `-exec` as it stands. */
  readonly runs?: readonly string[];
  /** Options that leave the places which were meant, refused even where the kernel holds the process. */
  readonly never?: readonly string[];
  /** Options that write, follow links or read lists of files to where no path in the arguments shows it. */
  readonly reaches?: readonly string[];
  /** Letters whose option takes a value: what follows in the same word is that value. */
  readonly valued?: string;
  /** More operands than this would be files to write. */
  readonly maxOperands?: number;
  /** All paths must be writable: always, or when one of these options is there. */
  readonly writes?: true | readonly string[];
  /** It goes through whole folders: always, or with one of these options. */
  readonly deep?: true | readonly string[];
  /** It puts all operands but the last into folders, under names of their own. */
  readonly into?: true;
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
  /** A word that begins with `@` is a revision, a time or a text, never a file of more arguments. */
  readonly plainAt?: true;
  /** The only options there may be. */
  readonly onlyOptions?: RegExp;
}

const LS_FOLLOWS = '-L -H --dereference --dereference-command-line --dereference-command-line-symlink-to-dir';
const WRITER: ProgramRule = { writes: true };
const TEXT_ONLY: ProgramRule = { text: 'all' };
const GREP: ProgramRule = {
  deep: words('-r --recursive'),
  reaches: ['-R', '--dereference-recursive'],
  text: { unless: ['-e', '-f', '--regexp', '--file', '--files'] },
  valued: 'ABCDdefm',
  plainAt: true,
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
    runs: words('-exec -execdir -ok -okdir'),
    reaches: words('-delete -files0-from -fprint -fprint0 -fprintf -fls -L -follow'),
  },
  fd: {
    runs: words('-x -X --exec --exec-batch'),
    reaches: words('-L --follow'),
    text: { unless: ['--search-path'] },
  },
  rg: {
    runs: words('-z --search-zip --pre --hostname-bin'),
    reaches: words('-L --follow'),
    deep: true,
    text: GREP.text ?? 'all',
    valued: 'ABCEMTdefgjmrt',
    plainAt: true,
  },
  sort: {
    runs: ['--compress-program'],
    reaches: words('-o --output --files0-from'),
    valued: 'STkt',
  },
  wc: { reaches: ['--files0-from'] },
  du: {
    reaches: words('--files0-from -L -D -H --dereference --dereference-args'),
    valued: 'BdtX',
  },
  ls: { reaches: words(LS_FOLLOWS), valued: 'ITw' },
  shuf: { reaches: words('-o --output'), valued: 'in' },
  iconv: { writes: words('-o --output'), valued: 'ft' },
  diff3: { runs: ['--diff-program'], valued: 'L' },
  git: { plainAt: true },
  touch: { ...WRITER, plainAt: true },
  setfacl: { ...WRITER, reaches: words('-L -H --logical --restore'), valued: 'mMxX' },
  getfacl: { reaches: words('-L --logical') },
  uniq: { maxOperands: 1, valued: 'fsw' },
  xxd: { maxOperands: 1, valued: 'clgosn' },
  sed: {
    prepend: ['--sandbox'],
    writes: words('-i --in-place'),
    valued: 'efl',
    text: { unless: words('-e -f --expression --file') },
  },
  awk: AWK,
  curl: {
    never: words('-K --config --unix-socket --abstract-unix-socket'),
    valued: 'AbcCdDeEFhHmoPQrTuUwxXyYzt',
  },
  wget: { never: words('--use-askpass --config -e --execute'), valued: 'aBDeiIlioOPQtTUwXA' },
  tar: {
    runs: words(
      `-I -F --use-compress-program --to-command --checkpoint-action --rsh-command --rmt-command --info-script
       --new-volume-script`,
    ),
    never: words('-P --absolute-names'),
    // After -C, names are meant from there, and may lead through links.
    reaches: words('-x --extract --get -h --dereference -T --files-from -C --directory'),
    bundled: true,
    deep: true,
    writes: words('-c -r -u -A --create --append --update --catenate --concatenate --delete'),
    valued: 'fbCTXgKLNVH',
  },
  // Links that they make, and folders that they copy by name, are looked at by nobody.
  cp: {
    ...WRITER,
    reaches: words('-L -H --dereference -s --symbolic-link --parents --keep-directory-symlink'),
    into: true,
    deep: words('-r -R -a --recursive --archive'),
    valued: 'tS',
  },
  mv: { ...WRITER, into: true, deep: true, valued: 'tS' },
  rm: { ...WRITER, deep: words('-r -R --recursive') },
  ln: { ...WRITER, reaches: words('-s --symbolic'), into: true, valued: 'tS' },
  // It follows links in the folders that it compares, unless it is told not to.
  diff: { prepend: ['--no-dereference'], reaches: words('-r --recursive') },
  // `ps e` prints the environment of other processes.
  ps: { refuseText: /e/, valued: 'opCGgqtuUs' },
  date: { plainAt: true, reaches: words('-s --set'), valued: 'dfrs', operands: /^\+/ },
  hostname: { reaches: words('-F -b --file --boot'), maxOperands: 0 },
  install: { ...WRITER, into: true, runs: words('-s --strip --strip-program'), valued: 'gmotS' },
  split: { ...WRITER, runs: ['--filter'] },
  tree: { reaches: words('-o -R -l'), valued: 'LPIHT' },
  file: { reaches: words('-C --compile -f --files-from') },
  yq: {
    reaches: words('-s --split-exp --from-file'),
    refuseText: /load/,
    writes: words('-i --inplace'),
    text: { unless: [] },
  },
  jq: {
    reaches: words('-f --from-file -L --library-path'),
    refuseText: /\b(?:import|include)\b/,
    text: { unless: [] },
  },
};

/** Names that mean the same program, or follow the same rule. */
const SHARED: readonly (readonly [rule: ProgramRule, names: string])[] = [
  [SPECIFIC.fd ?? {}, 'fdfind'],
  [AWK, 'gawk mawk nawk original-awk goawk'],
  [GREP, 'grep egrep fgrep'],
  [SPECIFIC.sed ?? {}, 'gsed'],
  [SPECIFIC.tar ?? {}, 'gtar'],
  [
    WRITER,
    `link mkdir rmdir unlink truncate dd tee csplit mkfifo shred sponge mktemp
     bzip2 bunzip2 dos2unix unix2dos chattr strip objcopy ranlib`,
  ],
  // In the folders that they go through, they follow links.
  [{ ...WRITER, reaches: words('-r --recursive'), valued: 'bS' }, 'gzip gunzip compress uncompress'],
  [{ ...WRITER, deep: words('-R --recursive'), reaches: words('-L -H --dereference') }, 'chmod chown chgrp'],
  // Lists of files to work on, and attributes of files that a list names.
  [{ ...WRITER, reaches: words('--files --files0 --filelist --restore') }, 'xz unxz lzma unlzma setfattr'],
  [{ ...WRITER, reaches: words('-r --filelist'), valued: 'DMTo' }, 'zstd unzstd'],
  [{ reaches: words('-r --files --files0 --filelist') }, 'xzcat lzcat zstdcat zcat'],
  [
    { reaches: words('-c --check'), valued: 'al' },
    `md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum b3sum cksum sum xxhsum xxh32sum xxh64sum
     xxh128sum md5 gmd5sum`,
  ],
  [{ reaches: words(LS_FOLLOWS), valued: 'ITw' }, 'dir vdir'],
  [{ plainAt: true }, 'test ['],
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

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

/** Whether anything is known of a program. */
export function isKnownProgram(name: string): boolean {
  return RULES.has(name);
}

/** What is known of a program; of an unknown one only its paths are checked. */
export function ruleFor(name: string): ProgramRule {
  return RULES.get(name) ?? {};
}
