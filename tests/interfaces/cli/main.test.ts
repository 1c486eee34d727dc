import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findProcesses } from '../../../src/interfaces/cli/doctor/find-processes.js';

const CLI = resolve('dist/cli.js');
let root = '';

const WORKFLOW = `
name: slow
sandbox: { on_unavailable: warn }
tools:
  - { name: note, command: "sh note.sh", approval: auto, restrictions: { commands: any, paths: ["**"] } }
steps: [{ name: one, provider: scripted, prompt: go, tools: [note] }]
`;
const SCRIPT = 'replies: [{ tool_calls: [{ name: note, arguments: {} }] }, { text: done }]';
/** Leaves a trace each time it runs, then would go on for ever. */
const TOOL = 'echo ran >> trace.txt\nexec tail -f "$PWD/trace.txt"\n';

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'toolgate-main-')));
  await mkdir(join(root, 'w'));
  await writeFile(join(root, 'w/flow.yaml'), WORKFLOW);
  await writeFile(join(root, 'w/script.yaml'), SCRIPT);
  await writeFile(join(root, 'w/note.sh'), TOOL);
});

afterAll(() => rm(root, { recursive: true, force: true }));

interface Started {
  readonly child: ChildProcess;
  readonly out: () => string;
  /** Resolves once a line with this text is out. */
  readonly saw: (text: string) => Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
}

function start(...argv: readonly string[]): Started {
  const env = { ...process.env, XDG_STATE_HOME: join(root, 'state') };
  const child = spawn(process.execPath, [CLI, ...argv], { cwd: join(root, 'w'), env });
  let out = '';
  let err = '';
  child.stdin.end();
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const ended = new Promise<Awaited<Started['ended']>>((done) => {
    child.on('close', (code) => done({ code, out, err }));
  });
  const saw = (text: string) =>
    new Promise<void>((done, fail) => {
      child.stdout.on('data', () => out.includes(text) && done());
      child.on('close', () => fail(new Error(`never saw ${text}: ${out}${err}`)));
    });
  return { child, out: () => out, saw, ended };
}

const RUN = ['run', 'flow.yaml', '--script', 'script.yaml', '--output-format', 'stream-json'];

describe('the toolgate command', () => {
  it('tells its version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(await start('--version').ended).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it('stops in good order on SIGINT, and exits with 130', async () => {
    const run = start(...RUN);
    await run.saw('"call-start"');
    run.child.kill('SIGINT');
    const { code, out, err } = await run.ended;
    expect(code).toBe(130);
    expect(err).toContain('stopping; once more stops at once');
    expect(JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'result',
      status: 'cancelled',
      states: { one: { stopped_by: 'cancelled', tool_calls: [{ tool: 'note' }] } },
    });
  });

  it('ends quietly when nobody reads its output any more', async () => {
    const run = start(...RUN);
    await run.saw('"run-start"');
    run.child.stdout?.destroy();
    expect((await run.ended).err).toBe('');
  });

  it('leaves a killed run to one successor, which repeats nothing that may have happened', async () => {
    await rm(join(root, 'w/trace.txt'), { force: true });
    const run = start(...RUN);
    await run.saw('"call-start"');
    const { run_id: runId } = JSON.parse(run.out().split('\n')[0] ?? '');
    const taken = await start('resume', runId).ended;
    expect(taken).toMatchObject({ code: 4, out: '' });
    expect(taken.err).toContain('[SYSTEM.JOURNAL.LEASED]');
    run.child.kill('SIGKILL');
    await run.ended;
    const { code, out, err } = await start('resume', runId, '--output-format', 'json').ended;
    // A machine whose kernel confines no processes is warned of.
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^$|^warning: the kernel/) });
    expect(JSON.parse(out).states.one.tool_calls).toMatchObject([
      { tool: 'note', result: { success: false, error: { code: 'EXECUTION.CALL.IN_DOUBT' } } },
    ]);
    const traces = (await readFile(join(root, 'w/trace.txt'), 'utf8')).trim().split('\n');
    expect(traces).toEqual(['ran']);
    expect(findProcesses(join(root, 'w/trace.txt'))).toEqual([]);
  });
});
