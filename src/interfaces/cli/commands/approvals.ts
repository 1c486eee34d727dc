import type { Command } from 'commander';
import { createContainer } from '../../../container.js';
import { ToolgateError } from '../../../domain/errors.js';
import type { Json } from '../../../domain/json.js';
import { describeRule } from '../../../domain/rules/rule-text.js';
import type { RememberedDecision, RememberedDecisions } from '../../../ports/remembered-decisions.js';
import { TOKENS } from '../../../ports/tokens.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import {
  addExamples,
  addOutputFormat,
  addWorkspace,
  type OutputOptions,
  type WorkspaceOptions,
} from '../options.js';
import { prettyJson } from '../output/json-text.js';
import { table } from '../output/table.js';
import { resolveWorkspace } from '../resolve-workspace.js';

interface ApprovalsOptions extends OutputOptions, WorkspaceOptions {}

export function defineApprovals(command: Command, { io }: CommandHost): void {
  addWorkspace(command);
  addOutputFormat(command, ['text', 'json']);
  addExamples(command, 'toolgate approvals list', 'toolgate approvals revoke 1a2b3c4d');
  command.action(async (action: string, ids: readonly string[], options: ApprovalsOptions) => {
    const { cwd, env } = io;
    const workspace = await resolveWorkspace({ cwd, env, flag: options.workspace });
    const container = await createContainer({ journal: 'file', workspace });
    const store = container.get<RememberedDecisions>(TOKENS.RememberedDecisions);
    if (action === 'revoke') return revoke(store, ids, { io, options });
    if (action === 'list' && ids.length === 0) return list(store, { io, options });
    const message = `write "approvals list" or "approvals revoke ID", not "approvals ${[action, ...ids].join(' ')}"`;
    throw new ToolgateError('USER.ARGUMENT.INVALID', message);
  });
}

interface Host {
  readonly io: CliIo;
  readonly options: ApprovalsOptions;
}

async function list(store: RememberedDecisions, { io, options }: Host): Promise<void> {
  const decisions = await trusted(store);
  if (options.outputFormat === 'json') io.out(prettyJson({ approvals: decisions.map(toJson) }));
  else if (decisions.length > 0) io.out(table(TITLES, decisions.map(cellsOf)));
  else io.err('nothing is approved for good in this workspace\n');
}

async function revoke(
  store: RememberedDecisions,
  ids: readonly string[],
  { io, options }: Host,
): Promise<void> {
  if (ids.length === 0) throw new ToolgateError('USER.ARGUMENT.INVALID', 'approvals revoke needs an ID');
  const known = (await trusted(store)).map(({ id }) => id);
  const unknown = ids.filter((id) => !known.includes(id));
  // All or none: a mistyped one among several is better said before anything is gone.
  if (unknown.length > 0) {
    const message = `no approval is called ${unknown.join(', ')} (there are: ${known.join(', ') || 'none'})`;
    throw new ToolgateError('USER.ARGUMENT.INVALID', message);
  }
  for (const id of ids) await store.revoke(id);
  if (options.outputFormat === 'json') io.out(prettyJson({ revoked: [...ids] }));
  else io.err(`revoked ${ids.join(', ')}: whoever is there is asked again\n`);
}

/** A file that grants nothing must not look like one with nothing in it. */
async function trusted(store: RememberedDecisions): Promise<readonly RememberedDecision[]> {
  const { decisions, problem } = await store.read();
  if (problem !== undefined) throw new ToolgateError('SYSTEM.IO.READ_FAILED', problem);
  return decisions;
}

const TITLES = ['ID', 'TOOL', 'SINCE (UTC)', 'WHO', 'HOLDS FOR'];

function cellsOf(decision: RememberedDecision): string[] {
  const { id, tool, at, by, note } = decision;
  const since = new Date(at).toISOString().replace('T', ' ').slice(0, 19);
  const holds =
    'rule' in decision ? `every call where ${describeRule(decision.rule)}` : `exactly this call: ${note}`;
  return [id, tool, since, by ?? '', holds];
}

function toJson(decision: RememberedDecision): Json {
  const { id, tool, at, by, note } = decision;
  return {
    id,
    tool,
    scope: 'always',
    ...('rule' in decision
      ? { width: 'rule', rule: { ...decision.rule } as Json, says: describeRule(decision.rule) }
      : { width: 'call', plan_hash: decision.planHash }),
    who: by ?? null,
    when: new Date(at).toISOString(),
    note,
  };
}
