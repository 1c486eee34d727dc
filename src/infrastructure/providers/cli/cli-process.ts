import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { createRedactor } from '../../../domain/redaction.js';
import { plain } from '../command/plain-output.js';
import { ProcessGroup } from '../command/process-group.js';
import type { CliCommand } from './cli-driver.js';

export interface CliStart extends CliCommand {
  readonly program: string;
  readonly cwd: string;
  /** The person's own environment, to which the command's is added. */
  readonly surroundings: Readonly<Record<string, string | undefined>>;
}

const KEPT_ERRORS = 4096;
/** A line that is longer is no event; the run is ended. */
const MAX_LINE = 32 * 1024 * 1024;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** A command line while it runs: its lines as they come, and its end. It leads a group, which ends with it. */
export class CliProcess {
  readonly #child: Child;
  readonly #group: ProcessGroup;
  #errors = '';
  #startError: Error | undefined;

  constructor({ program, args, cwd, env, input = '', surroundings }: CliStart) {
    this.#child = spawn(program, args, {
      cwd,
      env: { ...surroundings, ...env },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#group = new ProcessGroup(this.#child);
    this.#child.once('error', (error) => {
      this.#startError = error;
    });
    // One that does not read all of its input is no failure.
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdin.end(input);
    this.#child.stderr.setEncoding('utf8').on('data', (chunk: string) => this.#note(chunk));
  }

  /** Absent if it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What it said on standard error and outside of its protocol, as much of the end as helps. */
  get lastWords(): string {
    return createRedactor([]).text(plain(this.#errors).trim()).slice(-KEPT_ERRORS);
  }

  end(): void {
    this.#group.end();
  }

  /** Its output, line by line, until it closes it. */
  async *lines(): AsyncGenerator<string, void, void> {
    let held = '';
    this.#child.stdout.setEncoding('utf8');
    for await (const chunk of this.#child.stdout as AsyncIterable<string>) {
      const lines = (held + chunk).split('\n');
      held = lines.pop() ?? '';
      yield* lines;
      if (held.length > MAX_LINE) throw new Error(`wrote a line of more than ${MAX_LINE} characters`);
    }
    if (held !== '') yield held;
  }

  /** What it wrote that is not for programs. */
  note(line: string): void {
    this.#note(`${line}\n`);
  }

  /** Waits until it is gone, and says how it ended; nothing if that was well. */
  async ended(): Promise<string | undefined> {
    await this.#group.closed;
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
    if (this.#startError) return `could not be started: ${this.#startError.message}`;
    const { exitCode, signalCode } = this.#child;
    if (exitCode === 0) return undefined;
    return exitCode === null
      ? `was killed by ${signalCode ?? 'a signal'}`
      : `ended with exit code ${exitCode}`;
  }

  #note(text: string): void {
    this.#errors = (this.#errors + text).slice(-2 * KEPT_ERRORS);
  }
}
