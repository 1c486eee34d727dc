import { createHash, randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { link, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApprovalDecision } from '../../../domain/approval.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import type { QuestionName } from '../../../ports/approval-inbox.js';

/** More than any answer needs; a larger file is none. */
const MOST_BYTES = 16 * 1024 * 1024;
const OTHERS_WRITE = 0o022;

/** One name for one question: an answer to another plan cannot take its place. */
export function fileNameOf({ effectId, planHash }: QuestionName): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([effectId, planHash]))
    .digest('hex');
  return `${hash.slice(0, 40)}.json`;
}

/** Creates the file with all its content in one step; false if it is there already. */
export async function writeAnswer(
  folder: string,
  question: QuestionName,
  left: { readonly at: number; readonly decision: ApprovalDecision },
): Promise<boolean> {
  const path = join(folder, fileNameOf(question));
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const { effectId, planHash } = question;
  await writeDurably(draft, JSON.stringify({ effectId, planHash, ...left }));
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

/** An answer may wait for days, and whoever gave it is told that it is there: so it must be on the disk. */
async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The answer in a file, if it is one to this very question. Whether it says yes is for others to check. */
export async function readAnswer(
  folder: string,
  question: QuestionName,
): Promise<ApprovalDecision | undefined> {
  const text = await readRegular(join(folder, fileNameOf(question)));
  const left = text === undefined ? undefined : parsed(text);
  if (!isJsonObject(left) || left.effectId !== question.effectId || left.planHash !== question.planHash) {
    return undefined;
  }
  return left.decision as unknown as ApprovalDecision;
}

/** Neither a link nor a pipe is an answer, and neither must be waited for. */
async function readRegular(path: string): Promise<string | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (!file) return undefined;
  try {
    const found = await file.stat();
    return isOwn(found) && found.size <= MOST_BYTES ? await file.readFile('utf8') : undefined;
  } finally {
    await file.close();
  }
}

/** What somebody else wrote, or could have, is nobody's answer. */
function isOwn(found: Stats): boolean {
  const own = process.getuid?.() ?? found.uid;
  return found.isFile() && found.uid === own && (found.mode & OTHERS_WRITE) === 0;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
