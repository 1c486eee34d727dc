import { ToolgateError } from '../../domain/errors.js';
import type { Permissions } from '../../domain/restrictions.js';
import { toVisible } from '../../domain/visible-text.js';
import type { McpServerDeclaration } from '../../domain/workflow.js';
import type { ToolEntry } from '../../ports/tool-executor.js';
import type { ToolSourceRequest } from '../../ports/tool-source.js';
import type { RemoteServer } from './remote-server.js';
import { heldBackTool, remoteTool, tightened } from './remote-tool.js';
import type { McpTool } from './sdk.js';
import { clipped } from './server-said.js';
import { type Pins, pinOf } from './tool-pins.js';

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
}

/** The tools of a server that were asked for; those that are not what was approved are held back. */
export function remoteEntries(joining: JoiningServer): readonly RemoteEntry[] {
  const { declared, server, pins } = joining;
  return chosen(declared, server.tools).map((remote) => {
    const held = pins[remote.name] === pinOf(remote) ? undefined : whyHeld(declared.name, remote, pins);
    return { entry: entryOf(joining, remote, held), server, remote };
  });
}

/** What has become of an entry: nothing, if its tool is gone. */
export function entryNow({ entry, server, remote }: RemoteEntry): readonly ToolEntry[] {
  const fate = server.offered.fateOf(remote.name);
  if (fate === 'gone') return [];
  if (fate === undefined || entry.heldBack !== undefined) return [entry];
  const heldBack = `${changedSince(server.name, remote)} it was offered; ${WHAT_TO_DO}`;
  return [Object.freeze({ ...entry, handler: heldBackTool(server, remote, heldBack), heldBack })];
}

function entryOf(
  { declared, server, permissions, request }: JoiningServer,
  remote: McpTool,
  held: string | undefined,
): ToolEntry {
  const { timeoutMs, approval } = declared;
  const { workspace, onUnavailable = 'deny' } = request;
  return Object.freeze({
    handler: held === undefined ? remoteTool(server, remote) : heldBackTool(server, remote, held),
    approval: tightened(approval, remote),
    permissions,
    workspace,
    onUnavailable,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(held === undefined ? {} : { heldBack: held }),
  });
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

const WHAT_TO_DO = 'look at it with `toolgate mcp FILE`, and accept it there with --accept';

function whyHeld(server: string, tool: McpTool, pins: Pins): string {
  const what = Object.hasOwn(pins, tool.name)
    ? `${changedSince(server, tool)} it was approved`
    : `the MCP server "${server}" had no tool "${toVisible(tool.name)}" when its tools were approved`;
  return `${what}; ${WHAT_TO_DO}`;
}

/** A name is as much a stranger's word as a description: nothing in it may pass for something else. */
function changedSince(server: string, { name }: McpTool): string {
  return `the MCP server "${server}" has changed what it says of "${toVisible(name)}" since`;
}
