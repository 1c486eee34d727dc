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
  // A reader that left is no failure: what it would have read is dropped, and a run that nobody reads ends.
  stdout.on('error', () => stopping.abort(new Error('nobody reads the output any more')));
  stderr.on('error', () => undefined);
  const err = (text: string): void => void stderr.write(text);
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
    end: async (exitCode) => {
      await Promise.all([flushed(stdout), flushed(stderr)]);
      process.exit(exitCode);
    },
  };
}

/** The first signal asks the run to stop, so that it can be resumed; the second is an order. */
function stopOnSignals(stopping: AbortController, err: (text: string) => void): void {
  let asked = false;
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (asked) process.exit(EXIT.interrupted);
      asked = true;
      err('\nstopping; once more stops at once\n');
      stopping.abort(new Error(`interrupted by ${name}`));
    });
  }
}

async function flushed(stream: NodeJS.WriteStream): Promise<void> {
  if (!stream.writable) return;
  await new Promise<void>((resolve) => {
    stream.once('error', () => resolve());
    stream.write('', () => resolve());
  });
}
