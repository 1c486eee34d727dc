import { Composer, type CST, type Document, isScalar, Lexer, Parser, type YAMLError } from 'yaml';
import type { Problems } from './problems.js';

// Composing a tree recurses, and every token costs: both are bounded before either can hurt.
const MAX_DEPTH = 100;
const MAX_TOKENS = 250_000;
// What is not YAML at all has a mistake a character; the first of them are enough.
const MAX_ERRORS = 50;

// Duplicate keys are found where the data is read: this package compares every key with every other.
const OPTIONS = {
  version: '1.2',
  schema: 'core',
  strict: true,
  stringKeys: true,
  uniqueKeys: false,
  merge: false,
} as const;

/** Reads one YAML 1.2 document. Every mistake in its syntax is reported at once; it never ends in a hang. */
export function parseYaml(problems: Problems): Document.Parsed {
  const code = 'WORKFLOW.PARSE.YAML_SYNTAX';
  const composer = new Composer(OPTIONS);
  const tokens = readTokens(problems);
  const [document, second] = [...composer.compose(tokens, true, problems.source.text.length)];
  if (!document) return problems.fail(0, { code, message: 'the file is empty' });
  for (const error of [...document.errors, ...document.warnings]) reportSyntax(error, problems);
  if (second) {
    const message = 'a second document begins here; a workflow is one document';
    problems.add(second.range[0], { code, message });
  }
  const { version } = document.directives.yaml;
  if (version !== '1.2') {
    problems.add(0, {
      code,
      message: `YAML ${version} reads words such as "no" differently; a workflow is YAML 1.2`,
      suggestion: () => 'leave out the %YAML line',
    });
  }
  problems.throwIfAny();
  if (isEmpty(document)) problems.fail(0, { code, message: 'the file is empty' });
  return document;
}

function isEmpty({ contents }: Document.Parsed): boolean {
  return contents === null || (isScalar(contents) && contents.value === null && !contents.source);
}

function readTokens(problems: Problems): CST.Token[] {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  let errors = 0;
  for (const lexeme of new Lexer().lex(problems.source.text)) {
    count += 1;
    if (count > MAX_TOKENS) tooLarge(problems, parser.offset, `more than ${MAX_TOKENS} YAML tokens`);
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      if (token.type === 'error') errors += 1;
    }
    if (errors > MAX_ERRORS) break;
    if (parser.stack.length > MAX_DEPTH) tooLarge(problems, parser.offset, `more than ${MAX_DEPTH} levels`);
  }
  tokens.push(...parser.end());
  return tokens;
}

function tooLarge(problems: Problems, offset: number, what: string): never {
  return problems.fail(offset, {
    code: 'WORKFLOW.PARSE.TOO_LARGE',
    message: `the file has ${what}; no workflow needs that`,
  });
}

const ADVICE: Partial<Record<YAMLError['code'], string>> = {
  BAD_SCALAR_START: 'put the text in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'check the indentation; a text with ": " in it needs quotes',
  TAB_AS_INDENT: 'indent with spaces',
  TAG_RESOLVE_FAILED: 'leave the tag out: a workflow is plain data',
};

function reportSyntax(error: YAMLError, problems: Problems): void {
  const [offset] = error.pos;
  const isPlaceholder = problems.source.text.slice(Math.max(0, offset - 1), offset + 2).includes('{{');
  problems.add(offset, {
    code: 'WORKFLOW.PARSE.YAML_SYNTAX',
    message: error.code === 'NON_STRING_KEY' ? 'a key must be a plain word' : error.message,
    suggestion: () =>
      isPlaceholder ? 'a value that begins with {{ needs quotes: "{{inputs.name}}"' : ADVICE[error.code],
  });
}
