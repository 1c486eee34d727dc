import { userInfo } from 'node:os';
import { runRulesOf } from '../application/run-rules.js';
import type { ContainerOptions } from '../container.js';
import { ControllingTerminalGate } from '../infrastructure/approval/controlling-terminal-gate.js';
import { FirstAnswerGate } from '../infrastructure/approval/first-answer-gate.js';
import type { RuleContext } from '../infrastructure/approval/fits-rules.js';
import { FlagApprovalGate } from '../infrastructure/approval/flag-approval-gate.js';
import { InboxApprovalGate } from '../infrastructure/approval/inbox/inbox-approval-gate.js';
import { OneAtATimeGate } from '../infrastructure/approval/one-at-a-time-gate.js';
import { PendingApprovalGate } from '../infrastructure/approval/pending-approval-gate.js';
import { RememberingApprovalGate } from '../infrastructure/approval/remembering-approval-gate.js';
import { TerminalApprovalGate } from '../infrastructure/approval/terminal-approval-gate.js';
import type { ApprovalGate } from '../ports/approval-gate.js';
import type { ApprovalInbox } from '../ports/approval-inbox.js';
import type { ArgumentValidator } from '../ports/argument-validator.js';
import type { RememberedDecisions } from '../ports/remembered-decisions.js';
import type { RunJournal } from '../ports/run-journal.js';

/** What the gates in front of people look things up in. */
export interface ApprovalParts {
  readonly validator: ArgumentValidator;
  readonly store: RememberedDecisions;
  readonly inbox: ApprovalInbox;
  readonly journal: Pick<RunJournal, 'read'>;
}

/** Flags answer first, then what was said for good, then what was left for the run, then people. */
export function approvalGate(
  options: ContainerOptions,
  { validator, store, inbox, journal }: ApprovalParts,
): ApprovalGate {
  const { approve = [], approvals = 'terminal', workspace } = options;
  const fits: RuleContext['fits'] = (schema, value) => validator.matches(schema, value);
  const rules: RuleContext = { fits, ...(workspace === undefined ? {} : { workspace }) };
  const notify = (text: string) => void process.stderr.write(`toolgate: ${text}\n`);
  const people = new InboxApprovalGate(inbox, peopleAt(options));
  const rulesOf = async (runId: string) => runRulesOf(await journal.read(runId));
  const remembering = new RememberingApprovalGate({
    ...rules,
    ...person(),
    store,
    notify,
    rulesOf,
    next: people,
  });
  const given = approve === 'all' ? [] : approve;
  const tools = given.map((one) => (typeof one === 'string' ? { tool: one } : one));
  // On a terminal, what was said for good is looked up when a question's turn comes; elsewhere all are put at once.
  const isTerminal = approvals === 'terminal' || approvals === 'terminal-or-later';
  const next = isTerminal ? new OneAtATimeGate(remembering) : remembering;
  return new FlagApprovalGate({ ...rules, yes: approve === 'all', tools, next });
}

/** By name; a process may run as a user who has none. */
function person(): { readonly who?: string } {
  try {
    return { who: userInfo().username };
  } catch {
    return {};
  }
}

/** Who is asked when nothing else has an answer. */
function peopleAt({ approvals = 'terminal', terminal }: ContainerOptions): ApprovalGate {
  const person = terminal === 'controlling' ? new ControllingTerminalGate() : new TerminalApprovalGate();
  if (approvals === 'terminal') return person;
  if (approvals === 'later') return new PendingApprovalGate();
  if (approvals === 'terminal-or-later') return new PendingApprovalGate(person);
  return new FirstAnswerGate([approvals.gate, person]);
}
