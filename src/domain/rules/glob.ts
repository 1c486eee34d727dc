import { fitsWildcards, type WildcardUse } from '../wildcard-match.js';
import { alternativesOf } from './glob-alternatives.js';

/** One step of a pattern: a name, a name with wildcards in it, or any number of folders. */
export type Step =
  | { readonly kind: 'name'; readonly text: string }
  | WildName
  | { readonly kind: 'any-depth' };

interface WildName {
  readonly kind: 'wild';
  /** What stands before the first wildcard and after the last: most names are told apart by these. */
  readonly prefix: string;
  readonly suffix: string;
  readonly characters: readonly Character[];
}

/** `*`: any number of characters; a string: that character; else what one character must be. */
type Character = '*' | { readonly is: (character: string) => boolean };

/** A pattern for paths, one of its alternatives. */
export interface Glob {
  readonly isAbsolute: boolean;
  /** The names it begins with, before anything that could be more than one. */
  readonly literal: readonly string[];
  readonly steps: readonly Step[];
}

/** Whether a pattern lets a call run or holds it back: one that holds back rather speaks too often. */
export type GlobUse = 'exact' | 'loose';

const MAX_LENGTH = 1024;

/**
 * Reads a pattern as `restrictions.paths` does: `*` stays within one name, `**` goes through folders, `?`, `[a-z]` and
 * `{a,b}` work. Throws an Error that says what is wrong with it.
 */
export function readGlobs(pattern: string, use: GlobUse = 'exact'): readonly Glob[] {
  if (pattern.trim() === '') throw new Error('is empty');
  if (pattern.length > MAX_LENGTH) throw new Error(`is longer than ${MAX_LENGTH} characters`);
  if (pattern.includes('\0')) throw new Error('holds a NUL character');
  if (pattern.startsWith('!')) throw new Error('begins with "!"; write a rule of its own for that');
  if (pattern.startsWith('~'))
    throw new Error('begins with "~", which only a shell knows; write the whole path');
  const read = use === 'loose' ? foldedOutsideSets(pattern) : pattern;
  return alternativesOf(read).map((alternative) => readGlob(alternative, use));
}

/**
 * Whether a path fits, given as its names, folded where the use is loose. `*` leaves names with a leading dot alone
 * where the use is exact; a loose one takes them, and speaks for all that is below what it names.
 */
export function fitsGlob({ steps }: Glob, names: readonly string[], use: GlobUse): boolean {
  return fitsWildcards(steps, names, BY_STEP[use]);
}

/** A name as loose patterns compare it. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** A range may mean something else once it is folded: its set looks at both cases instead. */
function foldedOutsideSets(pattern: string): string {
  return pattern.replace(/\\.|\[[^\]]*\]|[^\\[]+/gs, (part) =>
    part.startsWith('[') ? part : foldName(part),
  );
}

/** The names of a path; `.` and empty ones are none. */
export function namesOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function readGlob(pattern: string, use: GlobUse): Glob {
  const written = namesOf(pattern);
  if (written.some((name) => name.replaceAll('\\', '') === '..')) throw new Error('has a ".." in it');
  const steps = written.map((name) => readStep(name, use));
  const wild = steps.findIndex(({ kind }) => kind !== 'name');
  const literal = (wild < 0 ? steps : steps.slice(0, wild)).flatMap((step) =>
    step.kind === 'name' ? [step.text] : [],
  );
  const below: readonly Step[] = use === 'loose' ? [{ kind: 'any-depth' }] : [];
  return { isAbsolute: pattern.startsWith('/'), literal, steps: [...steps, ...below] };
}

function readStep(written: string, use: GlobUse): Step {
  if (written === '**') return { kind: 'any-depth' };
  const characters: Character[] = [];
  let text = '';
  let isWild = false;
  for (let at = 0; at < written.length; ) {
    const { character, plain, length } = readCharacter(written, at, use);
    isWild ||= plain === undefined;
    text += plain ?? '';
    characters.push(character);
    at += length;
  }
  return isWild ? { kind: 'wild', characters, ...endsOf(written) } : { kind: 'name', text };
}

/** Only plain letters count: whatever else there is may be part of a wildcard. */
function endsOf(written: string): Pick<WildName, 'prefix' | 'suffix'> {
  const [prefix = ''] = /^[\w.-]*/.exec(written) ?? [];
  // Behind a bracket or a backslash, a letter may not be itself.
  const [suffix = ''] = /[\w.-]*$/.exec(written.replace(/^.*\\./s, '\\')) ?? [];
  return { prefix, suffix };
}

interface ReadCharacter {
  readonly character: Character;
  readonly plain?: string;
  readonly length: number;
}

function readCharacter(written: string, at: number, use: GlobUse): ReadCharacter {
  const point = String.fromCodePoint(written.codePointAt(at) ?? 0);
  if (point === '*') return { character: '*', length: 1 };
  if (point === '?') return { character: { is: () => true }, length: 1 };
  if (point === '[') return readSet(written, at, use);
  const isEscaped = point === '\\' && at + 1 < written.length;
  const plain = isEscaped ? String.fromCodePoint(written.codePointAt(at + 1) ?? 0) : point;
  return { character: { is: (each) => each === plain }, plain, length: plain.length + (isEscaped ? 1 : 0) };
}

/** `[a-z]`, `[!x]`, `[^x]`; other forms mean different things to different matchers. */
function readSet(written: string, at: number, use: GlobUse): ReadCharacter {
  const found = /^\[([!^]?)((?:[^\][\\-](?:-[^\][\\-])?)+)\]/u.exec(written.slice(at));
  if (!found) throw new Error('has a "[" that is not a plain set such as [a-z]; write \\[ for the character');
  const [whole, negation, body = ''] = found;
  const ranges = [...body.matchAll(/(.)(?:-(.))?/gu)].map(([, from = '', to = from]) => ({ from, to }));
  const isIn = (each: string) => ranges.some(({ from, to }) => each >= from && each <= to);
  const fits = negation === '' ? isIn : (each: string) => !isIn(each);
  const is = use === 'exact' ? fits : (each: string) => fits(each) || fits(each.toUpperCase());
  return { character: { is }, length: whole.length };
}

const isAnyDepth = ({ kind }: Step): boolean => kind === 'any-depth';

const BY_STEP: Readonly<Record<GlobUse, WildcardUse<Step, string>>> = {
  exact: { isAny: isAnyDepth, fits: (step, name) => fitsStep(step, name, 'exact') },
  loose: { isAny: isAnyDepth, fits: (step, name) => fitsStep(step, name, 'loose') },
};

const BY_CHARACTER: WildcardUse<Character, string> = {
  isAny: (character) => character === '*',
  fits: (character, each) => typeof character === 'object' && character.is(each),
};

function fitsStep(step: Step, name: string, use: GlobUse): boolean {
  if (step.kind === 'any-depth') return false;
  if (step.kind === 'name') return step.text === name;
  return name.startsWith(step.prefix) && name.endsWith(step.suffix) && fitsWild(step, name, use);
}

/** Both ends are known to be near: a name has at most a few hundred characters. */
function fitsWild({ characters }: WildName, name: string, use: GlobUse): boolean {
  const isHidden = name.startsWith('.') && !isDot(characters[0]);
  if (isHidden && use === 'exact') return false;
  return fitsWildcards(characters, [...name], BY_CHARACTER);
}

function isDot(character: Character | undefined): boolean {
  return typeof character === 'object' && character.is('.') && !character.is('x');
}
