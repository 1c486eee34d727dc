import type { DiffHunk, DiffLine, PreviewSection } from './preview.js';

/** One line of a section. */
export interface PreviewLine {
  /** Our own words before the text: the number of an argument, the sign of a changed line. */
  readonly mark: string;
  /** As it was written: not yet made visible. */
  readonly text: string;
  readonly change?: DiffLine['change'];
}

/** A section line by line, the same for every way to show it. */
export function previewLines(section: PreviewSection): PreviewLine[] {
  switch (section.kind) {
    case 'text':
      return plain(section.text.split('\n'));
    case 'list':
      return plain(section.items);
    case 'argv':
      return section.items.map((text, index) => ({ mark: `[${index}] `, text }));
    case 'json':
      return plain(JSON.stringify(section.value, null, 2).split('\n'));
    case 'diff':
      return section.hunks.flatMap(hunkLines);
    default:
      throw section satisfies never;
  }
}

function plain(texts: readonly string[]): PreviewLine[] {
  return texts.map((text) => ({ mark: '', text }));
}

function hunkLines({ oldStart, oldLines, newStart, newLines, lines }: DiffHunk): PreviewLine[] {
  const place = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
  return [{ mark: place, text: '' }, ...lines.flatMap(diffLine)];
}

const MARKS: Readonly<Record<DiffLine['change'], string>> = { same: '  ', added: '+ ', removed: '- ' };

/** As a patch says it: nothing in a file can stand before the sign, so none of its lines can say this. */
function diffLine({ change, text, isUnended }: DiffLine): PreviewLine[] {
  const line = { mark: MARKS[change], text, change };
  return isUnended ? [line, { mark: '\\ no line feed at the end of the file', text: '' }] : [line];
}
