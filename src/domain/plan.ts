import { deepFreeze, type JsonObject } from './json.js';

/** What a call would touch, shown to whoever approves it. */
export type PlannedAction =
  | {
      readonly kind: 'process';
      readonly argv: readonly string[];
      readonly cwd: string;
      /** The command line as the model or the template wrote it. */
      readonly script?: string;
      /** Every simple command of it, for rules to speak of; without them its words are the one command. */
      readonly commands?: readonly PlannedCommand[];
      /** Why there may be more to it than its `commands`, in words: then no rule lets it run by itself. */
      readonly unread?: string;
      /** True where the kernel does not hold it: `on_unavailable` decides. */
      readonly unconfined?: boolean;
    }
  | { readonly kind: 'read-file'; readonly path: string }
  | { readonly kind: 'write-file'; readonly path: string; readonly bytes: number; readonly append: boolean }
  | { readonly kind: 'http'; readonly method: string; readonly url: string }
  | { readonly kind: 'handler' };

/** One program that a process would start, as it was found on this machine. A type, so that it counts as JSON. */
export type PlannedCommand = {
  /** Its name, where that is what the name means here: a `git` that lies in the workspace goes by its path only. */
  readonly name?: string;
  /** Where it is; what is part of the shell has its name here as well. */
  readonly path: string;
  /** The file that it is a link to, where that has another name: rules that hold back know it by both. */
  readonly real?: string;
  /** As they were written, values filled in. */
  readonly args: readonly string[];
};

/** A call, planned: frozen, so what is shown is what is hashed is what runs. Plain data through and through. */
export interface CallPlan {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly action: PlannedAction;
}

/** The only way to make a plan: frozen all through, so nobody can change it between approval and run. */
export function createPlan(plan: CallPlan): CallPlan {
  return deepFreeze(plan);
}
