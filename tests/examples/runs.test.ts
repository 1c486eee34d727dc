import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { ExampleFolder } from './example-folder.js';

const TOKEN = ['-i', 'token=sesame-open'];

describe('docs/runs.md', () => {
  it('tells how the run of examples/runs goes on after kill -9', async () => {
    const folder = new ExampleFolder({ 'site.md': '# Gates\n' });
    const runId = await killedInDeploy(folder);
    expect(folder.toolgate('resume', runId).err).toBe(
      'error: Secret inputs are not kept, so give them again: -i token=… [USER.INPUT.MISSING]\n',
    );
    const resumed = folder.toolgate('resume', runId, ...TOKEN, '--output-format', 'json');
    expect(resumed.status).toBe(0);
    const { output, tool_calls: calls } = JSON.parse(resumed.out).states.release;
    expect(output).toBe('I cannot tell whether it was deployed. Please have a look.');
    expect(calls.map(({ result }: { result: { error?: { code: string } } }) => result.error?.code)).toEqual([
      undefined,
      'EXECUTION.CALL.IN_DOUBT',
    ]);
    expect(folder.toolgate('audit', runId, '--verify').out).toMatch(/^\d+ records, chain sound\n$/);
    expect(folder.toolgate('audit', runId).out).not.toContain('sesame');
  }, 40_000);
});

/** The id of a run whose process was killed while `deploy` ran. */
async function killedInDeploy(folder: ExampleFolder): Promise<string> {
  const child = folder.start(
    ...['run', 'examples/runs/workflow.yaml', '--script', 'examples/runs/script.yaml'],
    ...['--workspace', folder.workspace, ...TOKEN],
  );
  const closed = once(child, 'close');
  let runId = '';
  if (!child.stdout) throw new Error('the run has no stdout');
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line);
    if (event.type === 'run-start') runId = event.run_id;
    if (event.type === 'call-start' && event.tool === 'deploy') child.kill('SIGKILL');
  }
  await closed;
  return runId;
}
