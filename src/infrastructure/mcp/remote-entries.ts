import { InvalidToolError, ToolgateError } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import type { Permissions } from '../../domain/restrictions.js';
import type { Tool } from '../../domain/tool.js';
import { toVisible } from '../../domain/visible-text.js';
import type { McpServerDeclaration } from '../../domain/workflow.js';
import type { HeldBack, ToolEntry } from '../../ports/tool-executor.js';
import type { ToolSourceRequest } from '../../ports/tool-source.js';
import type { RemoteServer } from './remote-server.js';
import { heldBackTool, remoteTool, tightened } from './remote-tool.js';
import type { McpTool } from './sdk.js';
import { clipped } from './server-said.js';
import { ownOf, type Pins, pinOf, readPin } from './tool-pins.js';

/** A server's tool as it joined the others. */
export interface RemoteEntry {
  readonly entry: ToolEntry;
  readonly server: RemoteServer;
  readonly remote: McpTool;
}

export interface JoiningServer {
  readonly declared: McpServerDeclaration;
  readonly server: RemoteServer;
  /** What was approved of it. */
  readonly pins: Pins;
  readonly permissions: Permissions;
  readonly request: ToolSourceRequest;
  /** Throws for a tool whose schema no call could be checked by. */
  readonly prepare: (tool: Tool) => void;
}

/** The tools of a server that were asked for; those that are not what was approved are held back. */
export function remoteEntries(joining: JoiningServer): readonly RemoteEntry[] {
  const { declared, server } = joining;
  return chosen(declared, server.tools).map((remote) => ({
    entry: entryOf(joining, remote),
    server,
    remote,
  }));
}

/** What has become of an entry: nothing, if its tool is gone. */
export function entryNow({ entry, server, remote }: RemoteEntry): readonly ToolEntry[] {
  const fate = server.offered.fateOf(remote.name);
  if (fate === 'gone') return [];
  if (fate === undefined || entry.heldBack !== undefined) return [entry];
  const why = `${changedSince(server.name, remote)} it was offered`;
  const heldBack = { why, canBeAccepted: true, approved: saidOf(remote) };
  return [Object.freeze({ ...entry, handler: heldBackTool(server, remote, why), heldBack })];
}

function entryOf(joining: JoiningServer, remote: McpTool): ToolEntry {
  const { declared, permissions, request } = joining;
  const { timeoutMs, approval } = declared;
  const { workspace, onUnavailable = 'deny' } = request;
  return Object.freeze({
    ...usableTool(joining, remote),
    approval: tightened(approval, remote),
    permissions,
    workspace,
    onUnavailable,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

/** A tool that was approved and can be checked; else what stands in its place. The others of its server work on. */
function usableTool(
  { declared, server, pins, prepare }: JoiningServer,
  remote: McpTool,
): Pick<ToolEntry, 'handler' | 'heldBack'> {
  const changed = whyChanged(declared.name, remote, pins);
  if (changed) return { handler: heldBackTool(server, remote, changed.why), heldBack: changed };
  try {
    const handler = remoteTool(server, remote);
    prepare(handler.tool);
    return { handler };
  } catch (error) {
    if (!(error instanceof InvalidToolError)) throw error;
    const why = `the MCP server "${declared.name}" describes it in a way that no call can be checked by`;
    // The problem quotes the stranger's schema: that is for people.
    const told = `${why}: it ${toVisible(clipped(error.problem))}`;
    const heldBack = { why: told, canBeAccepted: false, now: saidOf(remote) };
    return { handler: heldBackTool(server, remote, why), heldBack };
  }
}

function chosen({ name, tools }: McpServerDeclaration, listed: readonly McpTool[]): readonly McpTool[] {
  if (!tools) return listed;
  return tools.map((wanted) => {
    const found = listed.find((tool) => tool.name === wanted);
    if (found) return found;
    const known = clipped(listed.map((tool) => toVisible(tool.name)).join(', ')) || 'none';
    throw new ToolgateError(
      'WORKFLOW.VALIDATION.MISSING_TOOL',
      `"${name}" has no tool "${wanted}" (it has: ${known})`,
    );
  });
}

function whyChanged(server: string, tool: McpTool, pins: Pins): HeldBack | undefined {
  const [approved, now] = [ownOf(pins, tool.name), pinOf(tool)];
  if (approved === now) return undefined;
  const isNew = approved === undefined;
  const why = isNew
    ? `the MCP server "${server}" had no tool "${toVisible(tool.name)}" when its tools were approved`
    : `${changedSince(server, tool)} it was approved`;
  const before = isNew ? undefined : readPin(approved);
  return {
    why,
    canBeAccepted: true,
    now: saidOf(tool),
    ...(before === undefined ? {} : { approved: before }),
  };
}

function saidOf(tool: McpTool): Json {
  return readPin(pinOf(tool)) ?? null;
}

/** A name is as much a stranger's word as a description: nothing in it may pass for something else. */
function changedSince(server: string, { name }: McpTool): string {
  return `the MCP server "${server}" has changed what it says of "${toVisible(name)}" since`;
}
