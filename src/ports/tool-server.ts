import type { Json } from '../domain/json.js';
import type { Tool } from '../domain/tool.js';
import type { ToolResult } from '../domain/tool-result.js';
import type { ApprovalGate } from './approval-gate.js';

/** What is served: tools, and a gate that each client's calls go through. */
export interface ServedTools {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  readonly tools: readonly Tool[];
  /** Tells, until the returned function is called, which tools there are when that has changed. */
  watch?(listener: (tools: readonly Tool[]) => void): () => void;
  /** Told each time that a client is about to read which tools there are. */
  listed?(): void;
  /** Begins one client's run; asked when the client makes its first call. */
  begin(client: string): Promise<ServedRun>;
}

/** One client's calls. Each gets one answer; a call whose signal fires is ended, and so is the question about it. */
export interface ServedRun {
  readonly runId: string;
  call(
    call: { readonly tool: string; readonly arguments: Json },
    caller: { readonly signal: AbortSignal; readonly onLog?: (message: string) => void },
  ): Promise<ServedAnswer>;
  close(): Promise<void>;
}

export interface ServedAnswer {
  /** What the model reads. */
  readonly text: string;
  readonly result: ToolResult;
}

/** Offers tools to clients of some protocol. When a client has gone, nothing of its calls is left. */
export interface ToolServer {
  /** Serves one client; resolves when it has gone, or was sent away by the signal. */
  serveStream(served: ServedTools, streams: ServedStreams, context: ServeContext): Promise<void>;
  /** Serves any number of clients until the signal fires; resolves when it listens. */
  serveHttp(served: ServedTools, options: HttpOptions, context: ServeContext): Promise<HttpServing>;
  /** Asks the client whose call it is, where the client can be asked; anybody else is asked by `next`. */
  clientApprovals(next: ApprovalGate): ApprovalGate;
}

export interface ServeContext {
  readonly signal: AbortSignal;
  /** For people: what went wrong with a client, in words that may be the client's own: make them visible to print them. */
  readonly log: (message: string) => void;
}

export interface ServedStreams {
  readonly input: AsyncIterable<Uint8Array>;
  readonly write: (text: string) => void;
  /** How long after the end of the input calls that are under way may still be answered; not at all if left out. */
  readonly lingerMs?: number;
}

export interface HttpOptions {
  /** 0 takes one that is free. */
  readonly port: number;
  /** The loopback address unless told. */
  readonly host?: string;
  /** The names and addresses, without a port, that clients come by, beside this machine's own and `host`. */
  readonly allowHosts?: readonly string[];
  /** What a client must show; one is made if it is left out. */
  readonly token?: string;
}

export interface HttpServing {
  readonly url: string;
  readonly token: string;
  /** Resolves when nothing listens any more. */
  readonly ended: Promise<void>;
}
