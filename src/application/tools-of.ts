import type { ToolSourceRequest } from '../ports/tool-source.js';
import type { RunRequest } from './run-request.js';

/** What a tool source is asked for on behalf of a run. An agent must not rewrite the rules it runs under. */
export function toolsOf({
  workflow,
  workspace,
  inputs,
  env,
}: Pick<RunRequest, 'workflow' | 'workspace' | 'inputs' | 'env'>): ToolSourceRequest {
  const { tools: declarations, onUnavailable, file } = workflow;
  return { declarations, workspace, inputs, env, onUnavailable, protect: file ? [file] : [] };
}
