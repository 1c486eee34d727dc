import type { ToolReport } from './check-report.js';

/**
 * How far a tool's lists are its limit here: they are; only the paths in its arguments are held to them; or nobody
 * holds it to them, and they only say what is meant.
 */
export type Reach = 'listed' | 'arguments' | 'open';

/** A tool whose every call is denied reaches nothing more than one that is held. */
export function reachOf(
  tool: Pick<ToolReport, 'startsProcess' | 'enforcement' | 'permissions' | 'deniedHere'>,
): Reach {
  const { startsProcess, enforcement, permissions, deniedHere } = tool;
  if (!startsProcess || deniedHere || enforcement.fsRead === 'kernel') return 'listed';
  if (typeof permissions.commands === 'string') return 'open';
  return permissions.commands.length === 0 ? 'listed' : 'arguments';
}

/** What a tool reads, writes and connects to at most, in words. */
export interface ReachText {
  readonly reads: string;
  readonly writes: string;
  readonly reaches: string;
}

export function reachText(tool: ToolReport, workspace: string): ReachText {
  const { read, write, hosts, commands } = tool.permissions;
  const reach = reachOf(tool);
  if (tool.startsProcess && commands.length === 0) return NOTHING;
  switch (reach) {
    case 'listed':
      return {
        reads: tool.startsProcess ? withSystem(read) : listText(read),
        writes: listText(write),
        reaches: listText(hosts),
      };
    case 'arguments': {
      // Without any `paths` an argument may name what is in the workspace, to read it.
      const named = read.length + write.length === 0 ? [`${workspace}/**`] : read;
      return {
        reads: `${asNamed(named)}; a listed program may read more by itself`,
        writes: `${asNamed(write)}; a listed program may write more by itself`,
        reaches: 'whatever a listed program connects to by itself',
      };
    }
    case 'open':
      return {
        reads: `anything that you can read (meant: ${listText(read)})`,
        writes: `anything that you can write (meant: ${listText(write)})`,
        reaches: `anything that you can reach (meant: ${listText(hosts)})`,
      };
    default:
      return reach satisfies never;
  }
}

/** Where no program may run, there is nothing to read with either. */
const NOTHING: ReachText = { reads: 'nothing', writes: 'nothing', reaches: 'nothing' };

function asNamed(list: readonly string[]): string {
  return list.length === 0
    ? 'nothing that its arguments name'
    : `${listText(list)} where its arguments name it`;
}

/** A process cannot start without them. */
function withSystem(read: readonly string[]): string {
  return [...read, 'the programs and libraries of the system'].join(', ');
}

/** A list as it is shown: nothing, if there is nothing in it. */
export function listText(items: readonly string[]): string {
  return items.length === 0 ? 'nothing' : items.join(', ');
}
