import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalDecision } from '../../../domain/approval.js';
import { ToolgateError } from '../../../domain/errors.js';
import type { ApprovalInbox, QuestionName } from '../../../ports/approval-inbox.js';
import type { Clock } from '../../../ports/clock.js';
import type { RunJournal, RunPlace } from '../../../ports/run-journal.js';
import { FolderWatch } from './folder-watch.js';
import { fileNameOf, readAnswer, writeAnswer } from './inbox-file.js';

/** Answers as files in `inbox/` of a run's own folder, which no tool can reach. A run in memory has no inbox. */
export class FileApprovalInbox implements ApprovalInbox {
  readonly #folders = new Map<string, Promise<string | undefined>>();
  readonly #watches = new Map<string, FolderWatch>();

  constructor(
    private readonly journal: Pick<RunJournal, 'inspect'>,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  async leave(question: QuestionName, decision: ApprovalDecision): Promise<'left' | 'taken'> {
    const { folder } = await this.journal.inspect(question.runId);
    if (folder === undefined) {
      throw new ToolgateError('USER.RUN.NOT_FOUND', `Run "${question.runId}" is not kept on disk`);
    }
    const left = { at: this.clock.now(), decision };
    return (await writeAnswer(madeInbox(folder), question, left)) ? 'left' : 'taken';
  }

  async find(question: QuestionName): Promise<ApprovalDecision | undefined> {
    const folder = await this.#folderOf(question.runId);
    return folder === undefined ? undefined : readAnswer(inboxIn(folder), question);
  }

  async wait(
    question: QuestionName,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<ApprovalDecision> {
    const folder = await this.#folderOf(question.runId);
    return new Promise((resolve) => {
      if (folder === undefined || signal.aborted) return;
      const inbox = madeInbox(folder);
      const name = fileNameOf(question);
      const take = async (): Promise<void> => {
        const decision = await readAnswer(inbox, question).catch(() => undefined);
        if (decision === undefined) return;
        end();
        resolve(decision);
      };
      const end = this.#watchOf(inbox).listen((names) => {
        if (names.has(name)) void take();
      });
      signal.addEventListener('abort', end, { once: true });
      // It may have been left just before anybody listened.
      void take();
    });
  }

  /** A run that cannot be found has no inbox; that is no reason to stop asking about it. */
  #folderOf(runId: string): Promise<string | undefined> {
    const known = this.#folders.get(runId) ?? this.journal.inspect(runId).then(folderIn, () => undefined);
    this.#folders.set(runId, known);
    return known;
  }

  #watchOf(folder: string): FolderWatch {
    const watch = this.#watches.get(folder) ?? new FolderWatch(folder);
    this.#watches.set(folder, watch);
    return watch;
  }
}

function folderIn({ folder }: RunPlace): string | undefined {
  return folder;
}

function inboxIn(folder: string): string {
  return join(folder, 'inbox');
}

function madeInbox(folder: string): string {
  const inbox = inboxIn(folder);
  // With its parents, which are there: this way it is no error that somebody else has just made it.
  mkdirSync(inbox, { recursive: true, mode: 0o700 });
  return inbox;
}
