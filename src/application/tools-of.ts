import type { ToolSourceRequest } from '../ports/tool-source.js';
import type { RunRequest } from './run-request.js';

type ToolsRequest = Pick<RunRequest, 'workflow' | 'workspace' | 'inputs' | 'env' | 'recording'>;

/**
 * What a tool source is asked for on behalf of a run. An agent must rewrite neither the rules it runs under nor the
 * record of what it did, nor somebody's approvals, which lie with it; nor read what other runs were about.
 */
export function toolsOf(
  { workflow, workspace, inputs, env, recording }: ToolsRequest,
  runsHome: string | undefined,
): ToolSourceRequest {
  const { tools: declarations, onUnavailable, file } = workflow;
  const hide = runsHome === undefined ? [] : [runsHome];
  const protect = [file, recording?.file].flatMap((one) => one ?? []).concat(hide);
  return { declarations, workspace, inputs, env, onUnavailable, protect, hide };
}
