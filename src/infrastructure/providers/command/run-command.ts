import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { messageOf, ToolgateError } from '../../../domain/errors.js';
import { createRedactor } from '../../../domain/redaction.js';
import { PlainOutput, plain } from './plain-output.js';
import { ProcessGroup } from './process-group.js';

export interface CommandRun {
  /** What the program reads on its standard input. */
  readonly input: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onText?: (delta: string) => void;
}

const MAX_OUTPUT = 16 * 1024 * 1024;
const KEPT_ERRORS = 4096;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Runs a program of the person's own and gives what it wrote, as plain text. Throws a coded error if it fails. */
export async function runCommand(argv: readonly string[], run: CommandRun): Promise<string> {
  run.signal.throwIfAborted();
  const [program = '', ...args] = argv;
  const child: Child = spawn(program, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const running = new RunningCommand(basename(program), child, run);
  return running.finish();
}

class RunningCommand {
  readonly #group: ProcessGroup;
  readonly #deadline: NodeJS.Timeout;
  readonly #onAbort = (): void => this.#group.end();
  #problem: ToolgateError | undefined;
  #text = '';
  #errors = '';

  constructor(
    private readonly program: string,
    private readonly child: Child,
    private readonly run: CommandRun,
  ) {
    this.#group = new ProcessGroup(child);
    child.once('error', (error) => this.#fail(`could not be started: ${error.message}`));
    this.#read();
    // A program that does not read all of its input is no failure.
    child.stdin.on('error', () => undefined);
    child.stdin.end(run.input);
    run.signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#deadline = setTimeout(() => {
      this.#fail(`was still running after ${run.timeoutMs / 1000} s, and was ended`, 'TIMEOUT');
    }, run.timeoutMs);
  }

  async finish(): Promise<string> {
    const { child, run } = this;
    try {
      await this.#group.closed;
      run.signal.throwIfAborted();
      if (!this.#problem && child.exitCode !== 0) this.#fail(exitText(child));
      if (this.#problem) throw this.#problem;
      return this.#text;
    } finally {
      clearTimeout(this.#deadline);
      run.signal.removeEventListener('abort', this.#onAbort);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    }
  }

  #read(): void {
    const { stdout, stderr } = this.child;
    const decoder = new StringDecoder('utf8');
    const output = new PlainOutput();
    let bytes = 0;
    stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT) this.#fail(`wrote more than ${MAX_OUTPUT} bytes, and was ended`);
      else this.#say(output.push(decoder.write(chunk)));
    });
    stdout.once('end', () => this.#say(output.push(decoder.end()) + output.end()));
    stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.#errors = (this.#errors + chunk).slice(-2 * KEPT_ERRORS);
    });
  }

  #say(text: string): void {
    if (text === '' || this.#problem) return;
    this.#text += text;
    try {
      this.run.onText?.(text);
    } catch (error) {
      this.#fail(`could not be shown: ${messageOf(error)}`);
    }
  }

  #fail(what: string, problem: 'FAILED' | 'TIMEOUT' = 'FAILED'): void {
    const said = createRedactor([]).text(plain(this.#errors).trim()).slice(-KEPT_ERRORS);
    const message = `The command "${this.program}" ${what}${said === '' ? '' : `. It said:\n${said}`}`;
    this.#problem ??= new ToolgateError(`EXECUTION.PROVIDER.${problem}`, message);
    this.#group.end();
  }
}

function exitText({ exitCode, signalCode }: Child): string {
  return exitCode === null ? `was killed by ${signalCode ?? 'a signal'}` : `ended with exit code ${exitCode}`;
}
