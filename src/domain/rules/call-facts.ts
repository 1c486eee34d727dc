import type { JsonObject } from '../json.js';
import type { CallPlan, PlannedAction, PlannedCommand } from '../plan.js';
import { foldName, namesOf } from './glob.js';
import { hiddenCommandProblem } from './hidden-commands.js';
import { type HostAndPort, plainHost, unwrappedHost } from './host-patterns.js';

/** What rules can speak of in one planned call. What is absent has nothing to do with it. */
export interface CallFacts {
  /** As the agent wrote them; and, for a file, with the path that was planned. A rule that allows must fit them all. */
  readonly argumentForms: readonly JsonObject[];
  readonly commands?: readonly PlannedCommand[];
  /** Why there may be more to its commands than these. */
  readonly unread?: string;
  /** The file under all the names that are known for it: where it really is, and what was written. */
  readonly paths?: readonly PathNames[];
  readonly request?: { readonly target: HostAndPort; readonly method: string };
  /** Why the plan does not tell what else the call touches; then only a person can. */
  readonly untold?: string;
}

/** A path as its names, from the root and, where it is in there, from the workspace; and the same for loose patterns. */
export interface PathNames {
  readonly absolute: readonly string[];
  readonly relative?: readonly string[];
  readonly folded: Pick<PathNames, 'absolute' | 'relative'>;
}

/** What a plan tells. Without a workspace, patterns that are relative to one fit nothing. */
export function factsOf({ action, arguments: args }: CallPlan, workspace?: string): CallFacts {
  switch (action.kind) {
    case 'process':
      return {
        argumentForms: [args],
        ...commandFacts(action),
        untold: 'a process may use any file and host',
      };
    case 'read-file':
    case 'write-file':
      return fileFacts(action.path, args, workspace);
    case 'http':
      return { argumentForms: [args], ...requestFacts(action) };
    case 'handler':
      return { argumentForms: [args], untold: 'its tool does not tell what a call does' };
    default:
      return action satisfies never;
  }
}

/** What is known of a call before it is planned: what the agent wrote, and nothing of what that comes to. */
export function writtenFacts(args: JsonObject): CallFacts {
  return { argumentForms: [args] };
}

function commandFacts(
  action: Extract<PlannedAction, { kind: 'process' }>,
): Pick<CallFacts, 'commands' | 'unread'> {
  const [path = '', ...args] = action.argv;
  const commands = action.commands ?? [{ path, args }];
  const hidden = commands.map(hiddenCommandProblem).find((problem) => problem !== undefined);
  const unread = action.unread ?? hidden;
  return { commands, ...(unread === undefined ? {} : { unread }) };
}

/** The path as it was written counts as well: a rule about a link must hold whatever it leads to. */
function fileFacts(planned: string, args: JsonObject, workspace: string | undefined): CallFacts {
  const written = typeof args.path === 'string' ? args.path : undefined;
  const real = pathNames(namesOf(planned), workspace);
  const isWritten = written !== undefined && (written.startsWith('/') || workspace !== undefined);
  const asWritten = isWritten ? lexicalNames(written, workspace) : real.absolute;
  const isOther = asWritten.join('/') !== real.absolute.join('/');
  const names = isOther ? [pathNames(asWritten, workspace)] : [];
  const shown = real.relative ? real.relative.join('/') : planned;
  const forms = shown === written ? [args] : [args, { ...args, path: shown }];
  return { argumentForms: forms, paths: [real, ...names] };
}

function pathNames(absolute: readonly string[], workspace: string | undefined): PathNames {
  const root = workspace === undefined ? undefined : namesOf(workspace);
  const isInside = root?.every((name, index) => name === absolute[index]) && absolute.length > root.length;
  const folded = absolute.map(foldName);
  const length = root?.length ?? 0;
  return isInside
    ? {
        absolute,
        relative: absolute.slice(length),
        folded: { absolute: folded, relative: folded.slice(length) },
      }
    : { absolute, folded: { absolute: folded } };
}

/** Where a path leads if nothing on its way is a link. */
export function lexicalNames(path: string, workspace = ''): readonly string[] {
  const names: string[] = path.startsWith('/') ? [] : [...namesOf(workspace)];
  for (const name of namesOf(path)) {
    if (name === '..') names.pop();
    else names.push(name);
  }
  return names;
}

function requestFacts({ method, url }: Extract<PlannedAction, { kind: 'http' }>): Partial<CallFacts> {
  if (!URL.canParse(url)) return { untold: 'its URL cannot be read' };
  const { hostname, port, protocol } = new URL(url);
  const known = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  return {
    request: {
      target: { host: unwrappedHost(plainHost(hostname)), port: known },
      method: method.toUpperCase(),
    },
  };
}
