import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type CliFixture, createCliFixture } from './fixture.js';
import { FILES_SCRIPT, FILES_WORKFLOW } from './workflows.js';

/** A workspace in which runs can be interrupted. */
export async function createInterruptible(): Promise<CliFixture> {
  const cli = await createCliFixture();
  await cli.write('flow.yaml', FILES_WORKFLOW);
  // The agent thinks before it reads, so that the interruption always finds it thinking.
  await cli.write('script.yaml', FILES_SCRIPT.replace('text: reading', 'delay: 500ms\n    text: reading'));
  return cli;
}

/** The id of a run that was interrupted once its first call was over. */
export async function interruptedRun(cli: CliFixture): Promise<string> {
  const controller = new AbortController();
  let out = '';
  await cli.runWith(
    {
      out: (text) => {
        out += text;
        if (text.includes('"call-end"')) controller.abort(new Error('interrupted'));
      },
      interruption: () => controller.signal,
      isInterrupted: () => controller.signal.aborted,
    },
    ...['run', 'flow.yaml', '--script', 'script.yaml', '--yes', '--output-format', 'stream-json'],
    ...['-i', 'token=sesame-open'],
  );
  return JSON.parse(out.split('\n')[0] ?? '').run_id;
}

export async function runFolder(cli: CliFixture, runId: string): Promise<string> {
  const [hash = ''] = await readdir(join(cli.state, 'toolgate'));
  return join(cli.state, 'toolgate', hash, 'runs', runId);
}
