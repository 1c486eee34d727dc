import type { JsonObject } from '../../../domain/json.js';
import type { Usage } from '../../../domain/message.js';

/** What one AI command line is like: how it is told what to do, and how to read what it says. */
export interface CliDriver {
  /** The name a step uses. */
  readonly name: string;
  /** The program's name, looked for on PATH. */
  readonly program: string;
  /** Where it is had from. */
  readonly npmPackage: string;
  /** The version that all of this was tried with; an older one may not know an option. */
  readonly testedVersion: string;
  /** The API provider that speaks to the same models, where there is one. */
  readonly apiProvider?: string;
  /** What it cannot be told, so that whoever runs it should know. */
  readonly warnings?: readonly string[];
  /** Whether its usage has what a turn costs. */
  readonly reportsCost?: true;
  /** Put before the names of our tools, where they would clash with its own. */
  readonly toolPrefix?: string;
  command(turn: CliTurn): CliCommand;
  /** Reads one run's output; a new one for each run. */
  reader(turn: CliTurn): CliReader;
}

/** The name that our server has in every command line: part of the names of our tools. */
export const SERVER = 'toolgate';

/**
 * How long it may take a command line to have our server started, and our tools listed: on a busy machine that takes
 * many seconds, and one that does not wait asks its model without them.
 */
export const TOOLS_WAIT_MS = 60_000;

/** One turn, as a command line is asked for it. */
export interface CliTurn {
  readonly prompt: string;
  readonly system?: string;
  readonly model?: string;
  /** The command line's own name for what it remembers, if it is to go on with that. */
  readonly sessionId?: string;
  /** A name that a new session may be given, where one can be chosen. */
  readonly newSessionId: string;
  /** How our tools are reached; absent when none are offered. */
  readonly server?: ServerCommand;
  /** A folder for this turn's files; gone when the turn is over. */
  readonly folder: string;
}

/** A process that speaks MCP on its standard input and output. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface CliCommand {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files to write into the turn's folder before the start, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files to write into the folder that it works in, which all turns share: always the same. */
  readonly settled?: Readonly<Record<string, string>>;
  /** What it reads on its standard input; nothing if it is left out. */
  readonly input?: string;
}

/** What a command line's output means. */
export type CliEvent =
  | { readonly kind: 'session'; readonly id: string }
  /** A part of what the agent is saying, as it comes. */
  | { readonly kind: 'delta'; readonly text: string }
  /** All of one message of the agent; the last one is its answer. */
  | { readonly kind: 'message'; readonly text: string }
  /** All that was used until now. */
  | { readonly kind: 'usage'; readonly usage: Usage }
  /** A tool that is not ours was used. */
  | { readonly kind: 'own-tool'; readonly tool: string; readonly arguments: JsonObject }
  | { readonly kind: 'warning'; readonly message: string }
  /** It says of itself that it has none of our tools; nothing that it will say is worth waiting for. */
  | { readonly kind: 'no-tools'; readonly message: string }
  /** It has come to its end, well. */
  | { readonly kind: 'end' }
  /** It has come to its end, or will, and not well. */
  | { readonly kind: 'error'; readonly message: string };

export interface CliReader {
  /** One line of its output, which is JSON. */
  read(line: JsonObject): readonly CliEvent[];
  /** What is to be made of that which was still open when the output ended. */
  end?(): readonly CliEvent[];
}
