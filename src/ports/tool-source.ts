import type { InputValues, OnUnavailable, ToolDeclaration } from '../domain/workflow.js';
import type { ToolEntry } from './tool-executor.js';

/** Where tools come from: declarations in a workflow, handler classes of the host program, later MCP servers. */
export interface ToolSource {
  /** Builds every tool or throws one error that names all that is wrong. Two tools of one name are an error. */
  open(request: ToolSourceRequest, context: { readonly signal: AbortSignal }): Promise<readonly ToolEntry[]>;
  /** Ends what was started for these very entries; a source that starts nothing has none of it. Never throws. */
  close?(entries: readonly ToolEntry[]): Promise<void>;
}

export interface ToolSourceRequest {
  /** Absolute and real. */
  readonly workspace: string;
  readonly declarations?: readonly ToolDeclaration[];
  readonly inputs?: InputValues;
  /** What `{{env.X}}` in a declaration finds. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `deny` when left out. */
  readonly onUnavailable?: OnUnavailable;
  /** Files and folders that no tool may write whatever it was given: the workflow file itself, the runs. */
  readonly protect?: readonly string[];
  /** Folders that no tool may even read: the runs, with what other agents saw. */
  readonly hide?: readonly string[];
}
