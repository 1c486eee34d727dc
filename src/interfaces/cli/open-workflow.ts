import { resolve } from 'node:path';
import { loadWorkflow, resolveInputs } from '../../container.js';
import type { InputValues, Workflow } from '../../domain/workflow.js';
import type { CliIo } from './cli-io.js';
import type { InputOptions, WorkspaceOptions } from './options.js';
import { resolveWorkspace } from './resolve-workspace.js';

/** A workflow with the values it was given and the folder it works in. */
export interface OpenedWorkflow {
  readonly workflow: Workflow;
  readonly inputs: InputValues;
  readonly workspace: string;
}

/** Loads a workflow and settles its inputs and workspace, or says all that is wrong with them. */
export async function openWorkflow(
  file: string,
  options: InputOptions & WorkspaceOptions,
  io: CliIo,
): Promise<OpenedWorkflow> {
  const workflow = await loadWorkflowFile(file, io.cwd);
  const given = options.input ?? {};
  const workspace = await resolveWorkspace({
    cwd: io.cwd,
    env: io.env,
    flag: options.workspace,
    workflow,
    given,
  });
  return { workflow, workspace, inputs: await resolveInputs(workflow, given, { workspace }) };
}

/** Its `file` is absolute, so that a run finds it again from wherever it is resumed. */
/** The command line has no way to bind a handler, so a tool that is not declared is nobody's. */
const NO_HANDLERS = { handlers: [] };

export async function loadWorkflowFile(file: string, cwd: string): Promise<Workflow> {
  return { ...(await loadWorkflow(file, NO_HANDLERS)), file: resolve(cwd, file) };
}
