import type { CallPlan, PlannedAction, PlannedCommand } from '../plan.js';
import { hiddenCommandProblem, isInterpreter } from './hidden-commands.js';
import { programNames } from './program-names.js';

/** What these do stands in files: the same words are another program once the agent has changed those. */
const RUNNERS = new Set(
  `npm npx pnpm pnpx yarn bunx corepack uv uvx pip pipx poetry tox nox pytest cargo go dotnet make gmake cmake ctest
  ninja meson just task rake bundle composer gradle gradlew mvn mvnw ant bazel sbt mix jest vitest mocha tsc`.split(
    /\s+/,
  ),
);

/**
 * Why a yes to this very call must not outlast it; undefined if it may. A hash binds a yes to the words of a command,
 * not to the files that give them their meaning.
 */
export function whyNotLasting({ action }: CallPlan): string | undefined {
  if (action.kind !== 'process') return undefined;
  if (action.unread !== undefined) return action.unread;
  return commandsOf(action)
    .map(problemOf)
    .find((problem) => problem !== undefined);
}

function commandsOf({
  commands,
  argv: [path = '', ...args],
}: Extract<PlannedAction, { kind: 'process' }>): readonly PlannedCommand[] {
  return commands ?? [{ name: path, path, args }];
}

function problemOf(command: PlannedCommand): string | undefined {
  const names = programNames(command);
  const isFile = command.name === undefined;
  if (isFile || names.some((name) => RUNNERS.has(name) || isInterpreter(name))) {
    return `what "${names[0]}" does stands in files, and they may change`;
  }
  return hiddenCommandProblem(command);
}
