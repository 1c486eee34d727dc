import type { FormatDeclaration } from './formats/declaration.js';
import { isObject } from './json/own.js';
import { parseToolCalls } from './parse-tool-calls.js';
import { Template } from './scan/template.js';

const MAX_MARK = 48;

/**
 * Checks a declaration, with its example if it has one, so that a format in hand is one that works. Pass what it
 * returns as `format`, alone or beside others: `['auto', mine]`. Throws a TypeError that lists every mistake.
 */
export function defineFormat(declaration: FormatDeclaration): FormatDeclaration {
  const mistakes = findMistakes(declaration);
  if (mistakes.length > 0) {
    throw new TypeError(`The format "${String(declaration?.id)}" cannot be used: ${mistakes.join('; ')}.`);
  }
  const format = structuredClone(declaration);
  const failure = tryExample(format);
  if (failure) throw new TypeError(`The format "${format.id}" does not read its own example: ${failure}.`);
  return format;
}

function findMistakes(declaration: FormatDeclaration): readonly string[] {
  if (!isObject(declaration)) return ['it is no object'];
  const { id, body, close } = declaration as FormatDeclaration;
  const opens = opensOf(declaration as FormatDeclaration);
  return [
    /^[a-z][a-z0-9_]{0,63}$/.test(id ?? '') ? '' : 'its id needs lower-case letters, digits and "_"',
    opens.length > 0 && opens.every(isMark)
      ? ''
      : `every opening mark needs 2 to ${MAX_MARK} characters before its first slot`,
    close === undefined || isMark(close)
      ? ''
      : `its closing mark needs 2 to ${MAX_MARK} characters before its first slot`,
    ...bodyMistakes(declaration as FormatDeclaration, opens, body?.kind),
  ].filter((mistake) => mistake !== '');
}

function bodyMistakes(format: FormatDeclaration, opens: readonly string[], kind: unknown): readonly string[] {
  if (kind === 'json') {
    return /\{(?:name|id|key|word|ns)\}/.test(format.close ?? '')
      ? ['the closing mark of a JSON body takes no slots']
      : [];
  }
  if (kind !== 'tags' || format.body.kind !== 'tags') return ['its body must be of kind "json" or "tags"'];
  const { parameter } = format.body;
  return [
    opens.every((open) => new Template(open).has('name')) ? '' : 'with tags, every opening mark needs {name}',
    format.close === undefined ? 'with tags, a closing mark is needed' : '',
    typeof parameter?.open === 'string' && new Template(parameter.open).has('key')
      ? ''
      : "a parameter's opening mark needs {key}",
    typeof parameter?.close === 'string' && parameter.close !== '' ? '' : 'a parameter needs a closing mark',
  ].filter((mistake) => mistake !== '');
}

function opensOf({ open }: FormatDeclaration): readonly string[] {
  return (Array.isArray(open) ? open : [open]) as readonly string[];
}

/** A mark is searched for by what comes before its first slot: too little fits everywhere, too much is held back too long. */
function isMark(mark: unknown): boolean {
  if (typeof mark !== 'string') return false;
  const leading = mark.replaceAll('{ns}', '').split(/\{(?:name|id|key|word)\}/)[0] ?? '';
  return leading.trim().length >= 2 && leading.length <= MAX_MARK && !/^\s/.test(mark);
}

function tryExample(format: FormatDeclaration): string | undefined {
  const { example } = format;
  if (!example) return undefined;
  const { calls } = parseToolCalls(example.text, { format, tools: [{ name: example.name }] });
  const [call] = calls;
  if (calls.length !== 1 || !call) return `it finds ${calls.length} calls in it`;
  if (call.name !== example.name) return `it reads the name "${call.name}"`;
  const isSame = JSON.stringify(call.arguments) === JSON.stringify(example.arguments);
  return isSame ? undefined : `it reads the arguments ${JSON.stringify(call.arguments)}`;
}
