import type { Permissions } from '../domain/restrictions.js';
import type { AllowedPath, FileSlice } from './file-access.js';
import type { AllowedTarget } from './network-access.js';
import type { ProcessCommand, ProcessOutcome, ProcessPlan } from './sandbox.js';

/** One tool's view of the machine: every door there is, each bound to what the tool was permitted. */
export interface ToolSandbox {
  readonly workspace: string;
  readonly permissions: Permissions;
  /** Checks a command and freezes what would run. Throws a DeniedError. */
  planProcess(command: ProcessCommand): Promise<ProcessPlan>;
  /** Runs a command to its end, its time-out or its abort; nothing it started is left behind. */
  runProcess(command: ProcessCommand | ProcessPlan): Promise<ProcessOutcome>;
  resolvePath(path: string, mode: 'read' | 'write'): Promise<AllowedPath>;
  readFile(path: AllowedPath, range?: { readonly maxBytes?: number }): Promise<FileSlice>;
  writeFile(path: AllowedPath, content: string, options?: { readonly append?: boolean }): Promise<void>;
  allowUrl(url: string): Promise<AllowedTarget>;
}
