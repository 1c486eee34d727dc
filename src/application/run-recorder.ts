import type { JournalEntry } from '../domain/journal.js';
import type { JsonObject } from '../domain/json.js';
import type { AuditLog, AuditSession } from '../ports/audit-log.js';
import type { Clock } from '../ports/clock.js';
import type { ProcessReaper } from '../ports/process-reaper.js';
import type { JournalSession, OpenOptions, RunJournal } from '../ports/run-journal.js';
import { foldRun } from './fold-run.js';
import type { RunRequest } from './run-request.js';
import { secretsOf } from './run-secrets.js';
import { VERSION } from './version.js';

/** A run as far as its record is concerned. */
type Recordable = Pick<RunRequest, 'workflow' | 'inputs' | 'workspace' | 'env' | 'durability'>;

interface RecordOptions extends OpenOptions {
  readonly signal: AbortSignal;
}

/** A run that is being written down: each record goes to the journal first, then to the audit trail. */
export interface RecordedRun {
  readonly session: JournalSession;
  /** What a resumed run's person should know: processes that could not be ended. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/** Opens runs for writing: the journal, the audit trail that follows it, and what a crash left behind. */
export class RunRecorder {
  constructor(
    private readonly journal: RunJournal,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly reaper: ProcessReaper,
  ) {}

  /** Where all runs are kept, if on disk. */
  get home(): string | undefined {
    return this.journal.home;
  }

  /** `startedWith` is what a resumed run must know again: provider overrides, or the one tool that was called. */
  async start(run: Recordable, startedWith: JsonObject, signal: AbortSignal): Promise<RecordedRun> {
    const { workflow, inputs, workspace } = run;
    const runId = this.clock.newRunId();
    const options = recordOptions(run, signal);
    const session = await this.journal.open(runId, 'create', options);
    const recorded = await this.#withAudit(session, workflow.name, options);
    recorded.session.append({
      type: 'run-started',
      runId,
      workflow: workflow as unknown as JsonObject,
      workflowHash: workflow.hash,
      inputs,
      workspace,
      options: startedWith,
      version: VERSION,
    });
    return recorded;
  }

  /** Takes over a run whose process is gone, ends what that process left running, and closes gaps in the trail. */
  async resume(runId: string, run: Recordable, signal: AbortSignal): Promise<RecordedRun> {
    const options = recordOptions(run, signal);
    const session = await this.journal.open(runId, 'continue', options);
    const facts = foldRun(session.records);
    const recorded = await this.#withAudit(session, run.workflow.name, options);
    const warnings: string[] = [];
    for (const process of facts.processes) {
      if ((await this.reaper.end(process, options)) === 'still-running') {
        warnings.push(`process ${process.pid}, started by ${process.id}, could not be ended and still runs`);
      }
    }
    recorded.session.append({ type: 'run-resumed' });
    return { ...recorded, warnings };
  }

  /** The audit trail is opened before anything happens: a run that cannot be audited does not start. */
  async #withAudit(
    session: JournalSession,
    workflowName: string,
    options: RecordOptions,
  ): Promise<RecordedRun> {
    const { runId, folder } = session;
    const audit = await this.#openAudit(session, {
      runId,
      workflowName,
      secrets: options.secrets,
      ...(folder ? { folder } : {}),
    });
    // All of them: the trail skips what it has, and needs the earlier ones to name what the later ones mean.
    for (const record of session.records) audit.write(record);
    const append = (entry: JournalEntry) => {
      const record = session.append(entry);
      audit.write(record);
      return record;
    };
    const close = async (): Promise<void> => {
      await audit.close();
      await session.close();
    };
    return { session: { ...plainSession(session), append, close }, warnings: [], close };
  }

  async #openAudit(session: JournalSession, run: Parameters<AuditLog['open']>[0]): Promise<AuditSession> {
    try {
      return await this.audit.open(run);
    } catch (error) {
      await session.close();
      throw error;
    }
  }
}

function recordOptions(
  { workflow, inputs, env, durability = 'crash' }: Recordable,
  signal: AbortSignal,
): RecordOptions {
  return { secrets: secretsOf(workflow, inputs, env), durability, signal };
}

function plainSession({ runId, records, folder }: JournalSession): Omit<JournalSession, 'append' | 'close'> {
  return { runId, records, ...(folder ? { folder } : {}) };
}
