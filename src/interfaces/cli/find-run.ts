import { ToolgateError } from '../../domain/errors.js';
import type { RunJournal } from '../../ports/run-journal.js';

const MOST_NAMED = 5;

/** The id of a run that was named by its id, by the beginning of one, or as `latest`. */
export async function findRun(journal: Pick<RunJournal, 'list'>, text: string): Promise<string> {
  const runs = await journal.list();
  if (runs.includes(text)) return text;
  const matching = text === 'latest' ? runs.slice(0, 1) : runs.filter((runId) => runId.startsWith(text));
  const [only, ...more] = matching;
  if (only === undefined || text === '') {
    throw new ToolgateError('USER.RUN.NOT_FOUND', `There is no run "${text}"; "toolgate runs" lists them`);
  }
  if (more.length === 0) return only;
  const named = matching.slice(0, MOST_NAMED).join(', ');
  throw new ToolgateError(
    'USER.RUN.NOT_FOUND',
    `"${text}" is the beginning of ${matching.length} runs (${named}${matching.length > MOST_NAMED ? ', …' : ''}): write more of it`,
  );
}
