import type { CliIo } from './cli-io.js';
import { EXIT } from './exit-code.js';

/** The real process, and the way out of it. */
export interface ProcessIo extends CliIo {
  /** Waits until everything written has gone, then ends the process, whatever a tool may have left behind. */
  end(exitCode: number): Promise<never>;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function processIo(): ProcessIo {
  const { stdin, stdout, stderr, env } = process;
  const stopping = new AbortController();
  const err = (text: string): void => void stderr.write(text);
  let lost: NodeJS.ErrnoException | undefined;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that left is no failure: what it would have read is dropped, and a run that nobody reads ends.
    stopping.abort(new Error('nobody reads the output any more'));
    if (error.code !== 'EPIPE') lost ??= error;
  });
  stderr.on('error', () => undefined);
  return {
    out: (text) => void (stdout.writable && stdout.write(text)),
    err,
    stdin,
    env,
    cwd: process.cwd(),
    isWatched: stderr.isTTY === true,
    interruption: () => {
      stopOnSignals(stopping, err);
      return stopping.signal;
    },
    isInterrupted: () => stopping.signal.aborted,
    program: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
    end: async (exitCode) => {
      await flushed(stdout);
      if (lost) err(`error: the output could not be written: ${lost.message} [SYSTEM.IO.WRITE_FAILED]\n`);
      await flushed(stderr);
      process.exit(lost ? EXIT.system : exitCode);
    },
  };
}

/** npm passes on a Ctrl-C that the terminal has sent us already: so soon after the first it is the same one. */
const SAME_SIGNAL_MS = 250;

/** The first signal asks the run to stop, so that it can be resumed; the second is an order. */
function stopOnSignals(stopping: AbortController, err: (text: string) => void): void {
  let askedAt: number | undefined;
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (askedAt !== undefined) {
        if (performance.now() - askedAt > SAME_SIGNAL_MS) process.exit(EXIT.interrupted);
        return;
      }
      askedAt = performance.now();
      err('\nstopping; once more stops at once\n');
      stopping.abort(new Error(`interrupted by ${name}`));
    });
  }
}

async function flushed(stream: NodeJS.WriteStream): Promise<void> {
  await new Promise<void>((resolve) => {
    stream.once('error', () => resolve());
    // A stream that has failed already tells so a moment later.
    if (stream.writable) stream.write('', () => resolve());
    else setImmediate(resolve);
  });
}
