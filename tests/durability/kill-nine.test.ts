import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { foldRun } from '../../src/application/fold-run.js';
import type { JournalRecord } from '../../src/domain/journal.js';
import type { JsonObject } from '../../src/domain/json.js';
import { JsonlRunJournal } from '../../src/infrastructure/journal/jsonl-run-journal.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const WORKFLOW = `
name: effects
version: "1.0"
sandbox: { on_unavailable: warn }
tools:
  - name: effect
    command: "echo {{args.n}} >> effects.txt"
    parameters: [{ name: n, type: string, required: true }]
    approval: auto
  - name: asked
    command: "echo {{args.n}} >> effects.txt"
    parameters: [{ name: n, type: string, required: true }]
    approval: prompt
  - name: lingering
    command: "echo {{args.n}} >> effects.txt && sleep 30 && echo late >> effects.txt"
    parameters: [{ name: n, type: string, required: true }]
    approval: auto
steps:
  - name: work
    type: agent
    provider: scripted
    prompt: go
    tools: [effect, asked, lingering]
`;

const SCRIPT = `
replies:
  - tool_calls:
      - { name: effect, arguments: { n: one } }
      - { name: effect, arguments: { n: two } }
  - tool_calls:
      - { name: asked, arguments: { n: three } }
      - { name: effect, arguments: { n: four } }
  - text: done
`;

const LINGERING = `
replies:
  - tool_calls: [{ name: lingering, arguments: { n: one } }]
  - text: done
`;

interface Outcome {
  readonly runId?: string;
  readonly status?: string;
  readonly calls: readonly { readonly id: string; readonly success: boolean; readonly code?: string }[];
  readonly warnings: readonly string[];
  readonly error: string;
}

class Bench {
  readonly #folder = temporaryFolder();
  readonly workspace = join(this.#folder, 'workspace');
  readonly #env = { ...process.env, XDG_STATE_HOME: join(this.#folder, 'state') };
  readonly journal = new JsonlRunJournal({ workspace: this.workspace, env: this.#env });

  constructor(script = SCRIPT) {
    mkdirSync(this.workspace);
    writeFileSync(join(this.#folder, 'workflow.yaml'), WORKFLOW);
    writeFileSync(join(this.#folder, 'script.yaml'), script);
  }

  start(options: {
    readonly resume?: string;
    readonly killAfter?: number;
    readonly answer?: boolean;
    readonly sandbox?: 'system' | 'process';
    /** Given as it was frozen in another run's record, so that the YAML need not be read again. */
    readonly workflow?: JsonObject;
  }) {
    const config = {
      file: join(this.#folder, 'workflow.yaml'),
      script: join(this.#folder, 'script.yaml'),
      workspace: this.workspace,
      ...options,
    };
    const child = spawn(process.execPath, ['tests/support/crashing-run.mjs', JSON.stringify(config)], {
      env: this.#env,
    });
    return { child, ended: outcomeOf(child) };
  }

  effects(): string[] {
    const file = join(this.workspace, 'effects.txt');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }
}

function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let out = '';
  let error = '';
  child.stdout?.on('data', (chunk) => (out += chunk));
  child.stderr?.on('data', (chunk) => (error += chunk));
  return new Promise((resolve) => {
    child.on('close', () => {
      const lines = out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Partial<Outcome> & { warning?: string });
      const warnings = lines.flatMap(({ warning }) => (warning ? [warning] : []));
      resolve({ calls: [], ...Object.assign({}, ...lines), warnings, error });
    });
  });
}

function callIds(records: readonly JournalRecord[], type: 'intent' | 'outcome'): string[] {
  return records.flatMap((record) => {
    if (record.type === 'intent' && type === 'intent') {
      return record.effects.filter(({ kind }) => kind === 'call').map(({ id }) => id);
    }
    return record.type === 'outcome' && type === 'outcome' && record.kind === 'call' ? [record.id] : [];
  });
}

describe('a run that was killed with kill -9', () => {
  it('goes on from wherever it was: no effect twice, none lost in silence', async () => {
    const whole = new Bench();
    const { runId = '', status } = await whole.start({ answer: true }).ended;
    expect(status).toBe('success');
    expect(whole.effects().sort()).toEqual(['four', 'one', 'three', 'two']);
    const records = await whole.journal.read(runId);
    const workflow = foldRun(records).started?.workflow ?? {};
    for (let killAfter = 1; killAfter < records.length; killAfter += 2) {
      await Promise.all([killAfter, killAfter + 1].map((at) => killAndResume({ killAfter: at, workflow })));
    }
  }, 180_000);

  it('waits for an approval again, and asks nobody twice for what was answered', async () => {
    const bench = new Bench();
    const { child, ended } = bench.start({});
    const runId = await waitForReview(bench);
    child.kill('SIGKILL');
    await ended;
    const outcome = await bench.start({ resume: runId, answer: true }).ended;
    expect(outcome).toMatchObject({ status: 'success' });
    expect(bench.effects().sort()).toEqual(['four', 'one', 'three', 'two']);
  }, 30_000);

  it('ends the process group that the dead process left running', async () => {
    const bench = new Bench(LINGERING);
    // With the kernel layer nothing is left running in the first place: see tests/kernel/sandbox.
    const { child, ended } = bench.start({ sandbox: 'process' });
    await until(() => bench.effects().includes('one'));
    const [runId = ''] = await bench.journal.list();
    child.kill('SIGKILL');
    await ended;
    const started = (await bench.journal.read(runId)).find((record) => record.type === 'process');
    expect(started).toBeDefined();
    const group = started?.type === 'process' ? started.pid : 0;
    expect(isRunning(group)).toBe(true);
    const outcome = await bench.start({ resume: runId }).ended;
    expect(isRunning(group)).toBe(false);
    expect(outcome).toMatchObject({ status: 'success', warnings: [] });
    expect(outcome.calls).toMatchObject([{ success: false, code: 'EXECUTION.CALL.IN_DOUBT' }]);
    expect(bench.effects()).toEqual(['one']);
  }, 30_000);

  it('is resumed by one of two processes that try at once', async () => {
    const bench = new Bench();
    const { child, ended } = bench.start({});
    const runId = await waitForReview(bench);
    child.kill('SIGKILL');
    await ended;
    // Neither is given an answer, so whoever wins holds the run while it waits.
    const rivals = [bench.start({ resume: runId }), bench.start({ resume: runId })];
    const loser = await Promise.race(rivals.map(({ ended: end }) => end));
    expect(loser.error).toContain('SYSTEM.JOURNAL.LEASED');
    for (const rival of rivals) rival.child.kill('SIGKILL');
    await Promise.all(rivals.map(({ ended: end }) => end));
    expect(bench.effects().sort()).toEqual(['one', 'two']);
  }, 30_000);
});

async function killAndResume(kill: {
  readonly killAfter: number;
  readonly workflow: JsonObject;
}): Promise<void> {
  const { killAfter } = kill;
  const bench = new Bench();
  await bench.start({ ...kill, answer: true }).ended;
  const [runId = ''] = await bench.journal.list();
  const records = await bench.journal.read(runId);
  expect(records).toHaveLength(Math.min(killAfter, records.length));
  const ended = callIds(records, 'outcome');
  const doubtful = callIds(records, 'intent').filter((id) => !ended.includes(id));

  const outcome = await bench.start({ resume: runId, answer: true }).ended;
  if (records.at(-1)?.type === 'run-ended') {
    expect(outcome.error).toContain('USER.RUN.FINISHED');
    return;
  }
  expect(outcome).toMatchObject({ status: 'success', error: '' });
  expect(outcome.calls).toHaveLength(4);
  const inDoubt = outcome.calls.filter(({ code }) => code === 'EXECUTION.CALL.IN_DOUBT');
  expect(inDoubt).toHaveLength(doubtful.length);
  const effects = bench.effects();
  expect(new Set(effects).size).toBe(effects.length);
  expect(effects.length).toBeGreaterThanOrEqual(4 - inDoubt.length);
}

async function waitForReview(bench: Bench): Promise<string> {
  await until(async () => {
    const [runId] = await bench.journal.list();
    const records = runId ? await bench.journal.read(runId).catch(() => []) : [];
    return records.some((record) => record.type === 'intent' && record.effects[0]?.kind === 'review');
  });
  return (await bench.journal.list())[0] ?? '';
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((done) => setTimeout(done, 10));
}

/** Whether the group has a member that still runs; one that is dead and not yet collected does not count. */
function isRunning(group: number): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      const [state, , pgrp] = statFields(pid);
      return Number(pgrp) === group && state !== 'Z';
    });
}

function statFields(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
