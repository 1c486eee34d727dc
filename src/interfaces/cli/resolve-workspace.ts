import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ToolgateError } from '../../domain/errors.js';
import { renderTemplate } from '../../domain/template.js';
import type { Workflow } from '../../domain/workflow.js';

export interface WorkspaceChoice {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--workspace`. */
  readonly flag?: string | undefined;
  /** Only where there is one: `runs` has none. */
  readonly workflow?: Workflow;
  readonly given?: Readonly<Record<string, string>>;
}

/** The folder that tools work in: the flag beats the workflow, which beats the current directory. */
export async function resolveWorkspace(choice: WorkspaceChoice): Promise<string> {
  const { cwd, flag, workflow } = choice;
  const written =
    flag ?? (workflow?.workspace === undefined ? '.' : fromWorkflow(workflow.workspace, choice));
  const path = resolve(cwd, written);
  const real = await realpath(path).catch(() => undefined);
  const found = real === undefined ? undefined : await stat(real);
  if (real !== undefined && found?.isDirectory()) return real;
  const problem = found ? 'is not a directory' : 'does not exist';
  throw new ToolgateError('USER.ARGUMENT.INVALID', `The workspace ${path} ${problem}`);
}

/** It is needed before inputs can be checked, since paths among them are relative to it; so they are taken as given. */
function fromWorkflow(template: string, { workflow, given, env }: WorkspaceChoice): string {
  const defaults = (workflow?.inputs ?? []).flatMap(({ name, default: value }) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return renderTemplate(template, { inputs: { ...Object.fromEntries(defaults), ...given }, env });
}
