import type { TextFormat } from '../../domain/workflow.js';
import { listFormats } from '../../pkg/toolparse/list-formats.js';
import type { PlacedStep } from './build-steps.js';
import { didYouMean } from './suggest.js';

/** Reports formats that no prompt can be written in, because nobody has declared them. */
export function checkToolFormats(steps: readonly PlacedStep[], declared: readonly TextFormat[] = []): void {
  const written = steps.map(({ at }) => at.get('tool_format')).filter(({ isPresent }) => isPresent);
  if (written.length === 0) return;
  const known = [...declared.map(({ id }) => id), ...textFormats()];
  for (const format of written) {
    const name = format.text();
    if (name === undefined || known.includes(name)) continue;
    format.report({
      code: 'WORKFLOW.VALIDATION.SCHEMA',
      message: `${format.path}: there is no text format \`${name.slice(0, 80)}\``,
      suggestion: () => didYouMean(name, known, 'the text formats are'),
    });
  }
}

function textFormats(): readonly string[] {
  return listFormats()
    .filter(({ kind }) => kind === 'text')
    .map(({ id }) => id);
}
