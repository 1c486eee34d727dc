import { type FormatDeclaration, listMarks, type ResultDeclaration } from '../formats/declaration.js';
import { textFormat } from '../scan/plan.js';
import { Template } from '../scan/template.js';
import type { FormatChoice } from '../types.js';
import { hideMark } from './write-call.js';

/** A result to hand back to the model. */
export interface RenderedResult {
  readonly id: string;
  readonly name: string;
  readonly output: string;
  readonly isError?: boolean | undefined;
}

export interface RenderOptions {
  /** The text format the model was taught; `hermes` when nothing is said. */
  readonly format?: FormatChoice | undefined;
}

const PLAIN_RESULT: ResultDeclaration = { open: '<tool_response>', close: '</tool_response>', body: 'json' };

/**
 * Writes results as the next message for a model that is driven by text. Marks inside an output are written so that
 * they close and open nothing: a tool's output must not pass for a result of another, or for a call.
 */
export function renderToolResults(results: readonly RenderedResult[], options: RenderOptions = {}): string {
  const format = requireTextFormat(options.format ?? 'hermes');
  return results.map((result) => renderResult(result, format)).join('\n');
}

/** A text format, or the error of a caller who asked for something else. */
export function requireTextFormat(choice: FormatChoice): FormatDeclaration {
  const format = textFormat(choice);
  if (format) return format;
  throw new TypeError(
    `"${String(choice)}" is no text format that results and prompts can be written in; see listFormats().`,
  );
}

function renderResult(result: RenderedResult, format: FormatDeclaration): string {
  const { open, close, body } = format.result ?? PLAIN_RESULT;
  const marks = marksOf(format);
  const content = body === 'json' ? jsonContent(result, marks) : textContent(result, marks);
  return `${fillMark(open, result)}\n${content}\n${fillMark(close, result)}`;
}

function fillMark(mark: string, result: RenderedResult): string {
  return new Template(mark).fill({ name: result.name, id: result.id });
}

function marksOf(format: FormatDeclaration): readonly string[] {
  const { open, close } = format.result ?? PLAIN_RESULT;
  const tags = [open, close].flatMap((mark) => mark.split('\n')).filter((mark) => !mark.includes('{'));
  const own = [format.open, format.close, format.wrapper?.open, format.wrapper?.close].flatMap(listMarks);
  const calls = [...own, format.written?.open].map(bareMark);
  return [...new Set([...tags, ...calls])].filter((mark) => mark.length > 1);
}

/** A mark as far as its first blank or slot: what it takes to pass for it. */
function bareMark(mark: string | undefined): string {
  const bare = (mark ?? '').replaceAll('{ns}', '').split(/[ {]/)[0];
  return bare ?? '';
}

function jsonContent({ id, name, output, isError }: RenderedResult, marks: readonly string[]): string {
  const json = JSON.stringify({ name, id, ...(isError ? { is_error: true } : {}), content: output });
  // No closing tag at all is left as it stands: a model may take those of other protocols for the end, too.
  return marks.reduce(hideMark, json).replaceAll('</', '<\\/');
}

function textContent({ output, isError }: RenderedResult, marks: readonly string[]): string {
  const text = marks.reduce((hidden, mark) => hidden.replaceAll(mark, `&lt;${mark.slice(1)}`), output);
  return isError ? `Error: ${text}` : text;
}
