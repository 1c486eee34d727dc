import type { RuleCondition } from '../../domain/approval.js';
import type { CallPlan, PlannedAction } from '../../domain/plan.js';
import { escapeGlob } from '../../domain/rules/glob-text.js';
import { hiddenCommandProblem, isInterpreter } from '../../domain/rules/hidden-commands.js';

export { describeRule } from '../../domain/rules/rule-text.js';

/**
 * The rule that may be offered beside a yes: wide enough to spare the next question, and never wider than a person
 * sees at a glance. None where what would run is more than the rule could say.
 */
export function suggestRule({ action }: CallPlan): RuleCondition | undefined {
  switch (action.kind) {
    case 'process':
      return commandRule(action);
    case 'read-file':
      return folderRule(action.path, '**');
    case 'write-file':
      return folderRule(action.path, '*');
    case 'http':
      return hostRule(action);
    case 'handler':
      return undefined;
    default:
      return action satisfies never;
  }
}

/** Their first word says what they do; of some, the first two. */
const SUBCOMMANDS: ReadonlyMap<string, number> = new Map([
  ...['git', 'hg', 'svn', 'docker', 'podman', 'kubectl', 'helm', 'terraform', 'systemctl', 'brew', 'apt'].map(
    (name) => [name, 1] as const,
  ),
  ...['gh', 'glab', 'aws', 'gcloud', 'az'].map((name) => [name, 2] as const),
]);

/** A rule for all calls of one of these would be a rule for anything: what they run or reach is in files and arguments. */
const TOO_WIDE = new Set(
  `npm npx pnpm pnpx yarn bun bunx uv uvx pip pipx poetry cargo go dotnet make gmake cmake ninja just task rake gradle mvn
  rm rmdir unlink shred dd mkfs truncate mv cp install ln tee chmod chown chgrp kill pkill killall find fd tar unzip
  sed patch curl wget nc ncat socat scp sftp rsync ftp telnet crontab service shutdown reboot mount umount`.split(
    /\s+/,
  ),
);

type ProcessAction = Extract<PlannedAction, { kind: 'process' }>;

function commandRule({ commands = [], unread }: ProcessAction): RuleCondition | undefined {
  const [command, ...more] = commands;
  // Without a trusted name it may be the agent's own file.
  if (!command?.name || more.length > 0 || unread !== undefined) return undefined;
  const { name, args } = command;
  if (isInterpreter(name) || TOO_WIDE.has(name) || hiddenCommandProblem(command)) return undefined;
  const words = args.slice(0, SUBCOMMANDS.get(name) ?? 0);
  const isClear = words.length === (SUBCOMMANDS.get(name) ?? 0) && words.every(isSubcommand);
  return isClear ? { command: [name, ...words] } : undefined;
}

function isSubcommand(word: string): boolean {
  return /^[a-z][a-z0-9-]*$/.test(word);
}

/** What is written stays in its folder; what is read may be deeper. */
function folderRule(path: string, below: '*' | '**'): RuleCondition | undefined {
  const folder = path.slice(0, path.lastIndexOf('/'));
  return folder === '' ? undefined : { paths: [`${escapeGlob(folder)}/${below}`] };
}

function hostRule({ method, url }: Extract<PlannedAction, { kind: 'http' }>): RuleCondition | undefined {
  if (!URL.canParse(url)) return undefined;
  // With its port, where it has one of its own: another port is another server.
  return { hosts: [new URL(url).host], methods: [method] };
}
