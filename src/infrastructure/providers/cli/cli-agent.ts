import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, type ToolgateError } from '../../../domain/errors.js';
import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import type { AgentGate } from '../../../ports/agent-gate.js';
import type { AgentContext, AgentProvider, AgentReply, AgentRequest } from '../../../ports/agent-provider.js';
import type { ToolServer } from '../../../ports/tool-server.js';
import type { CliDriver, CliReader, CliTurn, ServerCommand } from './cli-driver.js';
import { bypassed, type CliEnd, failed, lackedTools } from './cli-failure.js';
import type { CliOptions } from './cli-options.js';
import { CliProcess } from './cli-process.js';
import { CliTranscript } from './cli-transcript.js';
import { gatedTools } from './gated-tools.js';
import { ToolSocket } from './tool-socket.js';
import { turnPrompt } from './turn-prompt.js';
import type { VersionCheck } from './version-check.js';
import { writeFiles } from './write-files.js';

/** What a command line needs of the machine and of the program around it. */
export interface CliSurroundings {
  readonly toolServer: ToolServer;
  /** Starts the shim; the path of the socket is added. */
  readonly shim: ServerCommand;
  /** A folder that stays, for the command line to work in: it finds its sessions again by it. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The kernel's start time of a process. */
  readonly startTimeOf: (pid: number) => string;
  readonly versions: VersionCheck;
}

/**
 * An AI command line as the agent. It runs its own loop, with its own login and outside of the sandbox that tools run
 * in; its own tools are off, and ours reach it as an MCP server, so that every call comes through the gate.
 */
export class CliAgent implements AgentProvider {
  readonly name: string;
  readonly ownsLoop = true;
  readonly warnings: readonly string[];
  readonly costUnknown: string | undefined;

  constructor(
    private readonly driver: CliDriver,
    private readonly program: string,
    private readonly options: CliOptions,
    private readonly surroundings: CliSurroundings,
  ) {
    this.name = driver.name;
    this.warnings = driver.warnings ?? [];
    this.costUnknown = driver.reportsCost ? undefined : `${driver.name} does not say what a turn costs`;
  }

  async complete(request: AgentRequest, context: AgentContext): Promise<AgentReply> {
    context.signal.throwIfAborted();
    await this.#checkVersion(context);
    const folder = await mkdtemp(join(tmpdir(), 'toolgate-cli-'));
    try {
      await using socket = await this.#socket(folder, request, context);
      const turn = this.#turn(request, context, { folder, socket });
      return await this.#ask(turn, context, socket);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #checkVersion({ gate, signal }: AgentContext): Promise<void> {
    const problem = await this.surroundings.versions.problemOf(this.driver, this.program, signal);
    if (problem !== undefined) gate?.tell({ kind: 'warning', message: problem });
  }

  async #socket(folder: string, { tools }: AgentRequest, context: AgentContext): Promise<ToolSocket | null> {
    const { gate, signal } = context;
    if (!gate || tools.length === 0) return null;
    const { toolServer: server } = this.surroundings;
    const log = (message: string): void => gate.tell({ kind: 'warning', message: `MCP: ${message}` });
    const served = gatedTools(tools, gate, this.driver.toolPrefix);
    return ToolSocket.open({ folder, served, server, signal, log });
  }

  #turn(
    { messages }: AgentRequest,
    { gate }: AgentContext,
    { folder, socket }: { readonly folder: string; readonly socket: ToolSocket | null },
  ): CliTurn {
    const { shim } = this.surroundings;
    const { model } = this.options;
    const server = socket && { command: shim.command, args: [...shim.args, socket.path] };
    return {
      ...turnPrompt(messages, { agent: this.name, ...promptContext(gate) }),
      folder,
      newSessionId: randomUUID(),
      ...(server ? { server } : {}),
      ...(model === undefined ? {} : { model }),
    };
  }

  async #ask(turn: CliTurn, context: AgentContext, socket: ToolSocket | null): Promise<AgentReply> {
    const { folder: cwd, env: surroundings } = this.surroundings;
    const command = this.driver.command(turn);
    await writeFiles(turn.folder, command.files);
    await writeFiles(cwd, command.settled);
    context.signal.throwIfAborted();
    const process = new CliProcess({ ...command, program: this.program, cwd, surroundings });
    const { gate, signal, onText } = context;
    const transcript = new CliTranscript({
      agent: this.name,
      ...(onText ? { onText } : {}),
      ...(socket ? { hasTools: () => socket.isListed } : {}),
      ...(gate ? { onUsage: gate.used, onNotice: gate.tell } : {}),
    });
    this.#leaveTrace(process, gate);
    const until = { signal, ...(gate ? { gate } : {}) };
    return this.#untilEnded({ process, transcript, reader: this.driver.reader(turn) }, until);
  }

  #leaveTrace({ pid }: CliProcess, gate: AgentGate | undefined): void {
    if (pid === undefined) return;
    gate?.started({ pid, startTime: this.surroundings.startTimeOf(pid) });
  }

  /** Whatever happens, the process is gone when this is over. */
  async #untilEnded(
    running: RunningCli,
    { signal, gate }: Pick<AgentContext, 'signal' | 'gate'>,
  ): Promise<AgentReply> {
    const { process, transcript } = running;
    const timeout = AbortSignal.timeout(this.options.timeoutMs);
    const until = AbortSignal.any([signal, timeout, ...(gate ? [gate.ended] : [])]);
    const end = (): void => {
      transcript.close();
      process.end();
    };
    until.addEventListener('abort', end, { once: true });
    if (until.aborted) end();
    const reading = await this.#read(running).catch((error: unknown) => {
      end();
      return messageOf(error);
    });
    const ending = await process.ended();
    for (const event of running.reader.end?.() ?? []) transcript.add(event);
    until.removeEventListener('abort', end);
    signal.throwIfAborted();
    if (gate?.ended.aborted) return transcript.reply();
    const at = { agent: this.name, lastWords: process.lastWords };
    if (timeout.aborted)
      throw failed(`was still running after ${this.options.timeoutMs / 1000} s`, at, 'TIMEOUT');
    const problem = this.#problemOf(transcript, reading ?? ending, at);
    if (problem) throw problem;
    return transcript.reply();
  }

  /** Gives what was wrong with its output, if something was. */
  async #read({ process, transcript, reader }: RunningCli): Promise<string | undefined> {
    for await (const line of process.lines()) {
      for (const event of eventsOf(line, reader, process)) transcript.add(event);
      if (this.#isToEnd(transcript)) process.end();
    }
    return undefined;
  }

  #isToEnd({ bypasses, saysItLacksTools }: CliTranscript): boolean {
    return saysItLacksTools || (this.options.strict && bypasses.length > 0);
  }

  /** The first thing that went wrong, in the order of what says most about the cause. */
  #problemOf(
    transcript: CliTranscript,
    otherwise: string | undefined,
    end: CliEnd,
  ): ToolgateError | undefined {
    const { bypasses, error, lacksTools, isComplete } = transcript;
    if (this.options.strict && bypasses.length > 0) return bypassed(bypasses, end);
    if (error !== undefined) return failed(error, end);
    if (lacksTools !== undefined) return lackedTools(lacksTools, end);
    if (otherwise !== undefined) return failed(otherwise, end);
    return isComplete ? undefined : failed('ended without an answer', end);
  }
}

interface RunningCli {
  readonly process: CliProcess;
  readonly transcript: CliTranscript;
  readonly reader: CliReader;
}

function promptContext(gate: AgentGate | undefined): Pick<AgentGate, 'workspace' | 'interrupted'> {
  return {
    ...(gate?.workspace === undefined ? {} : { workspace: gate.workspace }),
    ...(gate?.interrupted ? { interrupted: gate.interrupted } : {}),
  };
}

/** A line that is not an event is for people: it may say why there are no more events. */
function eventsOf(line: string, reader: CliReader, process: CliProcess): ReturnType<CliReader['read']> {
  const event = parsed(line);
  if (event) return reader.read(event);
  if (line.trim() !== '') process.note(line);
  return [];
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
