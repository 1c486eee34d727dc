import { DeniedError } from '../../../domain/errors.js';
import type { OnUnavailable } from '../../../domain/workflow.js';
import type { Sandbox } from '../../../ports/sandbox.js';
import type { ToolEntry } from '../../../ports/tool-executor.js';

export interface NoteScope {
  readonly workspace: string;
  readonly onUnavailable: OnUnavailable;
}

/** Where the kernel would hold a tool more loosely than its file says, learnt by planning a process and not running it. */
export async function kernelNotes(
  sandbox: Sandbox,
  { permissions }: Pick<ToolEntry, 'permissions'>,
  { workspace, onUnavailable }: NoteScope,
): Promise<readonly string[]> {
  const { commands } = permissions;
  const program = typeof commands === 'string' ? 'true' : commands[0];
  if (program === undefined) return [];
  try {
    const policy = { workspace, permissions, onUnavailable };
    const plan = await sandbox.plan(policy, { kind: 'argv', argv: [program] });
    return plan.confinement?.notes ?? [];
  } catch (error) {
    // A program that is missing or refused without arguments: that is for its calls to find out.
    const isForAll = error instanceof DeniedError && error.code === 'EXECUTION.SANDBOX.UNAVAILABLE';
    return permissions.strict && isForAll ? [error.message] : [];
  }
}
