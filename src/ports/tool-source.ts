import type {
  InputValues,
  McpServerDeclaration,
  OnUnavailable,
  ToolDeclaration,
} from '../domain/workflow.js';
import type { ToolEntry } from './tool-executor.js';

/** Where tools come from: declarations in a workflow, handler classes of the host program, MCP servers. */
export interface ToolSource {
  /** Builds every tool or throws one error that names all that is wrong. Two tools of one name are an error. */
  open(request: ToolSourceRequest, context: { readonly signal: AbortSignal }): Promise<readonly ToolEntry[]>;
  /**
   * Tells, until the returned function is called, what has become of these very entries: a tool that is gone is left
   * out, one that is not what it was is held back. A source whose tools stay as they are has none of it.
   */
  watch?(entries: readonly ToolEntry[], listener: (now: readonly ToolEntry[]) => void): () => void;
  /** Ends what was started for these very entries; a source that starts nothing has none of it. Never throws. */
  close?(entries: readonly ToolEntry[]): Promise<void>;
}

export interface ToolSourceRequest {
  /** Absolute and real. */
  readonly workspace: string;
  readonly declarations?: readonly ToolDeclaration[];
  readonly servers?: readonly McpServerDeclaration[];
  /**
   * `show`: a person is shown what servers say of their tools now. `accept`: what was shown last is what is approved
   * from now on, as far as the servers still say it.
   */
  readonly serverChanges?: 'show' | 'accept';
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
