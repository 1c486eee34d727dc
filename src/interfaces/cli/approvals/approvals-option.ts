import { type Command, InvalidArgumentError } from 'commander';

/** Where a run's prompts are answered. */
export type ApprovalsPlace = 'terminal' | 'later' | PagePlace;

interface PagePlace {
  readonly host: '127.0.0.1' | 'localhost' | '[::1]';
  /** 0: any that is free. */
  readonly port: number;
}

export interface ApprovalsOptions {
  readonly approvals?: ApprovalsPlace;
}

/** A call from outside of a run cannot wait for days: nothing could continue it. */
export function addApprovals(command: Command, places: 'all' | 'now' = 'all'): Command {
  const later = places === 'all' ? ', later (the run is suspended until answers are left for it)' : '';
  const what = `where prompts are answered: terminal (default)${later}, or a page at http://127.0.0.1:PORT (0: any port)`;
  return command.option('--approvals <where>', what, (text) => parsePlace(text, places));
}

const MOST_PORT = 65_535;
const PAGE = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(?::(\d+))?\/?$/;

function parsePlace(text: string, places: 'all' | 'now'): ApprovalsPlace {
  if (text === 'terminal') return text;
  if (text === 'later') {
    if (places === 'all') return text;
    throw new InvalidArgumentError('A call from outside of a run cannot be continued later: answer it now.');
  }
  const [, host, port = '0'] = PAGE.exec(text) ?? [];
  if (Number(port) > MOST_PORT) throw new InvalidArgumentError(`There is no port above ${MOST_PORT}.`);
  if (host === undefined) {
    const known = places === 'all' ? 'terminal, later' : 'terminal';
    throw new InvalidArgumentError(
      `Write ${known} or http://127.0.0.1:PORT. The page is for this machine only: no other host.`,
    );
  }
  return { host: host as PagePlace['host'], port: Number(port) };
}
