import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Document, LineCounter } from 'yaml';
import { messageOf, ToolgateError } from '../../domain/errors.js';
import { isJson, readScript } from './read-script.js';
import type { Script } from './script.js';
import { ScriptReader } from './script-reader.js';

const LARGEST_BYTES = 1024 * 1024;
const MOST_ALIASES = 100;
const MOST_PROBLEMS = 20;

/** Reads a script file. Whatever is wrong with it is told at once, each problem with its line and column. */
export async function loadScript(file: string): Promise<Script> {
  const text = await readText(file);
  const { parseDocument, LineCounter } = await import('yaml');
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
    const problems = [...document.errors, ...document.warnings];
    if (problems.length > 0) {
      throw invalid(problems.map(({ message, pos }) => `${placeOf(file, lines, pos[0])} ${message}`));
    }
    return checkedScript(file, document, lines);
  } catch (error) {
    if (error instanceof ToolgateError) throw error;
    // Aliases without end, or a nesting too deep to walk.
    throw invalid([`${file}: ${messageOf(error)}`]);
  }
}

function checkedScript(file: string, document: Document.Parsed, lines: LineCounter): Script {
  const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
  if (!isJson(value)) throw invalid([`${file}: holds a value that JSON cannot hold (.inf or .nan)`]);
  const reader = new ScriptReader();
  const script = readScript(reader, value, file);
  if (reader.problems.length === 0) return script;
  const placed = reader.problems.map(({ path, message }) => {
    const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
    return { offset: offsetIn(document, path), text: `${name.replace(/^\./, '') || 'the file'} ${message}` };
  });
  const inOrder = placed.sort((left, right) => left.offset - right.offset);
  throw invalid(inOrder.map(({ offset, text }) => `${placeOf(file, lines, offset)} ${text}`));
}

/** Where the value is, or the nearest thing around it that is there. */
function offsetIn(document: Document.Parsed, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    const range = (node as { readonly range?: readonly number[] } | undefined)?.range;
    if (range?.[0] !== undefined) return range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

function placeOf(file: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${file}:${line}:${col}:`;
}

function invalid(problems: readonly string[]): ToolgateError {
  const shown = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length - shown.length;
  const text = [...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n');
  return new ToolgateError('WORKFLOW.SCRIPT.INVALID', text);
}

async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ToolgateError('WORKFLOW.SCRIPT.INVALID', `${file}: is not UTF-8 text`, { cause: error });
  }
}

async function readBytes(file: string): Promise<Uint8Array> {
  // Without waiting for a writer: a pipe under this name must not hang the run.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(
    (cause: unknown) => {
      const message = `The script ${file} cannot be read: ${messageOf(cause)}`;
      throw new ToolgateError('USER.FILE.NOT_FOUND', message, { cause });
    },
  );
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw invalid([`${file}: is not a file`]);
    if (stat.size > LARGEST_BYTES)
      throw invalid([`${file}: has ${stat.size} bytes, more than ${LARGEST_BYTES}`]);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
