import type { PlannedAction } from '../../domain/plan.js';
import { lineDiff } from './line-diff.js';
import { presentFile } from './present-file.js';
import type { PreviewSection } from './preview.js';

type WriteFile = Extract<PlannedAction, { kind: 'write-file' }>;

const MOST_BYTES = 1024 * 1024;

/** What writing this content would change, against the file as it is now. */
export async function fileSections(action: WriteFile, content: string): Promise<PreviewSection[]> {
  if (action.bytes > MOST_BYTES) return uncompared('the content is too long to be compared', content);
  const present = await presentFile(action.path, MOST_BYTES);
  if (present.kind === 'unreadable') return uncompared(present.why, content);
  const isNew = present.kind === 'absent';
  const before = isNew ? '' : present.text;
  const hunks = await lineDiff(before, action.append ? before + content : content);
  const notes = isNew ? [note('the file is not there yet')] : [];
  if (hunks.length > 0) return [...notes, { label: 'change', kind: 'diff', hunks }];
  return isNew ? notes : [note('nothing: the file holds this already')];
}

function uncompared(why: string, content: string): PreviewSection[] {
  return [note(why), { label: 'content', kind: 'text', text: content }];
}

function note(text: string): PreviewSection {
  return { label: 'changes', kind: 'list', items: [text] };
}
