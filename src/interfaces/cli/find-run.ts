import { createContainer } from '../../container.js';
import { ToolgateError } from '../../domain/errors.js';
import type { RunJournal } from '../../ports/run-journal.js';
import { TOKENS } from '../../ports/tokens.js';
import type { CliIo } from './cli-io.js';
import { resolveWorkspace } from './resolve-workspace.js';

const MOST_NAMED = 5;

/** A run as somebody named it, and where they stood when they said it. */
interface NamedRun {
  readonly named: string;
  /** `--workspace`: whose `latest` is meant. */
  readonly workspace?: string | undefined;
  readonly io: Pick<CliIo, 'cwd' | 'env'>;
}

/** The id of a run that was named by its id or the beginning of one, of whatever workspace, or as `latest`. */
export async function findRun(journal: Pick<RunJournal, 'list'>, run: NamedRun): Promise<string> {
  const { named } = run;
  const runs = await journal.list();
  if (runs.includes(named)) return named;
  if (named === 'latest') return latestRun(run);
  const matching = runs.filter((runId) => runId.startsWith(named));
  const [only, ...more] = matching;
  if (only === undefined || named === '') {
    throw new ToolgateError('USER.RUN.NOT_FOUND', `There is no run "${named}"; "toolgate runs" lists them`);
  }
  if (more.length === 0) return only;
  const shown = matching.slice(0, MOST_NAMED).join(', ');
  throw new ToolgateError(
    'USER.RUN.NOT_FOUND',
    `"${named}" is the beginning of ${matching.length} runs (${shown}${matching.length > MOST_NAMED ? ', …' : ''}): write more of it`,
  );
}

/** The first that `toolgate runs` lists here: the run of another project is not what anybody means by it. */
async function latestRun({ io: { cwd, env }, workspace: flag }: NamedRun): Promise<string> {
  const workspace = await resolveWorkspace({ cwd, env, flag });
  const container = await createContainer({ journal: 'file', workspace });
  const [latest] = await container.get<RunJournal>(TOKENS.RunJournal).list();
  if (latest !== undefined) return latest;
  const message = `There are no runs of ${workspace} yet; "toolgate runs --all" lists those of all workspaces`;
  throw new ToolgateError('USER.RUN.NOT_FOUND', message);
}
