import { type ContainerOptions, openApprovalPage } from '../../../container.js';
import type { CliIo } from '../cli-io.js';
import { EXIT } from '../exit-code.js';
import type { ApprovalsPlace } from './approvals-option.js';

type Approvals = NonNullable<ContainerOptions['approvals']>;

/** Runs something that may ask, with its page open for as long as it takes. */
export async function withApprovals(
  place: ApprovalsPlace | 'terminal-or-later',
  io: Pick<CliIo, 'err'>,
  work: (approvals: Approvals) => Promise<number>,
): Promise<number> {
  if (typeof place === 'string') return work(place);
  const page = await openApprovalPage(place);
  io.err(`approvals are answered at ${page.link}\n`);
  let outcome = 'it failed';
  try {
    const code = await work(page);
    outcome = OUTCOMES.get(code) ?? outcome;
    return code;
  } finally {
    await page.close(outcome);
  }
}

const OUTCOMES: ReadonlyMap<number, string> = new Map([
  [EXIT.success, 'it succeeded'],
  [EXIT.execution, 'it did not come to its end'],
  [EXIT.interrupted, 'it was interrupted'],
]);
