import { type ErrorCode, ToolgateError } from './errors.js';
import { isJsonObject } from './json.js';

/** `{{inputs.x}}` and text, in order. Parsed once; a value that looks like a template is never parsed again. */
export type TemplatePart = TextPart | ReferencePart;

interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

export interface ReferencePart {
  readonly kind: 'reference';
  /** `['inputs', 'project_path']`. */
  readonly path: readonly string[];
  /** Offsets in the source, for messages that point. */
  readonly start: number;
  readonly end: number;
}

/** A template that cannot be read or filled; `offset` is where in its source. */
export class TemplateError extends ToolgateError {
  override readonly name = 'TemplateError';
  constructor(
    code: Extract<ErrorCode, `WORKFLOW.TEMPLATE.${string}`>,
    message: string,
    readonly offset: number,
  ) {
    super(code, message);
  }
}

// AWF documents `{{.inputs.x}}`, its drafts `{{inputs.x}}`; both mean the same.
const REFERENCE = /^\s*\.?([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)\s*$/;
const LONGEST_SHOWN = 60;
const LITERAL = /^\s*(?:"([^"\\]*)"|`([^`]*)`)\s*$/;

/** Reads a template. `{{"{{"}}` writes two braces. The first problem is thrown, unless somebody collects them. */
export function parseTemplate(
  source: string,
  onProblem: (problem: TemplateError) => void = raise,
): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let position = 0;
  for (;;) {
    const start = source.indexOf('{{', position);
    if (start < 0) break;
    const end = source.indexOf('}}', start + 2);
    if (end < 0) {
      onProblem(new TemplateError('WORKFLOW.TEMPLATE.SYNTAX', '"{{" is never closed by "}}"', start));
      break;
    }
    if (start > position) parts.push({ kind: 'text', text: source.slice(position, start) });
    const part = parsePlaceholder(source.slice(start + 2, end), start, end + 2);
    if (part instanceof TemplateError) onProblem(part);
    else parts.push(part);
    position = end + 2;
  }
  if (position < source.length) parts.push({ kind: 'text', text: source.slice(position) });
  return parts;
}

function parsePlaceholder(inner: string, start: number, end: number): TemplatePart | TemplateError {
  const literal = LITERAL.exec(inner);
  if (literal) return { kind: 'text', text: literal[1] ?? literal[2] ?? '' };
  const reference = REFERENCE.exec(inner);
  if (reference?.[1]) return { kind: 'reference', path: reference[1].split('.'), start, end };
  const shown = inner.length > LONGEST_SHOWN ? `${inner.slice(0, LONGEST_SHOWN)}…` : inner;
  return new TemplateError(
    'WORKFLOW.TEMPLATE.SYNTAX',
    `"{{${shown}}}" is not a reference; write {{inputs.name}}, {{states.step.output}} or {{env.NAME}} (filters and functions are not supported)`,
    start,
  );
}

function raise(problem: TemplateError): never {
  throw problem;
}

/** Every reference of a template, in order. */
export function referencesOf(source: string): readonly ReferencePart[] {
  return parseTemplate(source).filter((part): part is ReferencePart => part.kind === 'reference');
}

/** What references look up: plain nested data. */
export type TemplateScope = Readonly<Record<string, unknown>>;

/** Fills a template. A reference to nothing is an error, never an empty string. */
export function renderTemplate(source: string, scope: TemplateScope): string {
  return parseTemplate(source)
    .map((part) => (part.kind === 'text' ? part.text : valueText(part, scope)))
    .join('');
}

function valueText(part: ReferencePart, scope: TemplateScope): string {
  const value = lookUp(part, scope);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The value a reference names; own keys only, so that `{{inputs.constructor}}` finds nothing. */
export function lookUp(part: ReferencePart, scope: TemplateScope): unknown {
  let value: unknown = scope;
  for (const key of part.path) {
    const found = isJsonObject(value) ? ownKey(value, key) : undefined;
    if (found === undefined) throw missing(part, key, value);
    value = (value as Record<string, unknown>)[found];
  }
  if (value === undefined || value === null) throw missing(part, part.path.at(-1) ?? '', scope);
  return value;
}

/** Finds `ToolCalls` where the key is `tool_calls`: AWF's state fields are PascalCase, ours snake_case. */
function ownKey(value: object, key: string): string | undefined {
  if (Object.hasOwn(value, key)) return key;
  const snake = toSnakeCase(key);
  return Object.hasOwn(value, snake) ? snake : undefined;
}

/** `ToolCalls` as `tool_calls`. */
export function toSnakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}

function missing(part: ReferencePart, key: string, within: unknown): TemplateError {
  // The names of the caller's own environment are nobody's business.
  const known = isJsonObject(within) && part.path[0] !== 'env' ? Object.keys(within).slice(0, 12) : [];
  const hint = known.length > 0 ? ` (there is: ${known.join(', ')})` : '';
  const message = `{{${part.path.join('.')}}} has no value: "${key}" is not known here${hint}`;
  return new TemplateError('WORKFLOW.TEMPLATE.MISSING_VALUE', message, part.start);
}
