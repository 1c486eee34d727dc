import { parseTemplate, type ReferencePart } from '../../../domain/template.js';

/** Stands for one placeholder in the flat text of a template. No shell text can hold a NUL of its own. */
export const HOLE = '\0';

/** A template as one text with a hole for each placeholder, in order. */
export interface TemplateSource {
  readonly text: string;
  readonly references: readonly ReferencePart[];
  /** Where a place of the flat text is in what was written: `line 2, column 5`. */
  place(offset: number): string;
  /** The same as an offset. */
  sourceOffset(offset: number): number;
}

/** Reads a command template. Throws a TemplateError where a placeholder cannot be read. */
export function readTemplateSource(source: string): TemplateSource {
  const references: ReferencePart[] = [];
  const starts: { readonly flat: number; readonly source: number }[] = [];
  let text = '';
  let position = 0;
  for (const part of parseTemplate(source)) {
    starts.push({ flat: text.length, source: position });
    if (part.kind === 'reference') {
      references.push(part);
      text += HOLE;
      position = part.end;
    } else {
      text += part.text;
      position = textEnd(source, position, part.text);
    }
  }
  const offsetOf = (offset: number) => sourceOffset(starts, offset);
  return {
    text,
    references,
    place: (offset) => placeOf(source, offsetOf(offset)),
    sourceOffset: offsetOf,
  };
}

/** `{{"{{"}}` is text as well, but longer where it was written. */
function textEnd(source: string, start: number, text: string): number {
  return source.startsWith('{{', start) ? source.indexOf('}}', start + 2) + 2 : start + text.length;
}

function sourceOffset(
  starts: readonly { readonly flat: number; readonly source: number }[],
  offset: number,
): number {
  const part = starts.findLast(({ flat }) => flat <= offset);
  return part ? part.source + offset - part.flat : offset;
}

function placeOf(source: string, offset: number): string {
  const before = source.slice(0, offset).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return before.length === 1 ? `column ${column}` : `line ${before.length}, column ${column}`;
}
