import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { JournalRecord } from '../../src/domain/journal.js';
import type { JsonObject } from '../../src/domain/json.js';
import { JsonlRunJournal } from '../../src/infrastructure/journal/jsonl-run-journal.js';
import { listProcesses } from '../../src/infrastructure/sandbox/process-table.js';
import { askedFor, CliBench } from './cli-bench.js';

jest.setTimeout(120_000);

const parameters = [{ name: 'n', type: 'string', required: true }];
const TOOLS = [
  { name: 'mark', command: 'echo {{args.n}} >> marks.txt', parameters, approval: 'auto' },
  { name: 'linger', command: 'echo {{args.n}} >> marks.txt && sleep 600', parameters, approval: 'auto' },
];

describe.each(askedFor().map((fixture) => [fixture.name, fixture] as const))(
  '%s, the real one, when toolgate was killed with kill -9 in the middle of a call',
  (_name, fixture) => {
    let bench: CliBench;
    let journal: JsonlRunJournal;

    beforeAll(async () => {
      bench = await CliBench.open(fixture);
      journal = new JsonlRunJournal({ workspace: bench.workspace, env: { ...process.env, ...bench.env } });
    });

    afterAll(() => bench[Symbol.asyncDispose]());

    function toolgate(...args: readonly string[]) {
      const words = [resolve('dist/cli.js'), ...args, '--output-format', 'json'];
      const child = spawn(process.execPath, words, {
        cwd: bench.workspace,
        env: { ...process.env, ...bench.env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return { child, state: stateOf(child) };
    }

    const marks = (): readonly string[] => {
      const file = join(bench.workspace, 'marks.txt');
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    };

    it('goes on with its session: nothing done twice, what was under way is in doubt, what was left is ended', async () => {
      // What is left of it asks its model what to make of the lost answer, and gets none.
      bench.model.will(
        { tool: 'mark', arguments: { n: 'one' } },
        { tool: 'linger', arguments: { n: 'two' } },
        new Promise(() => undefined),
      );
      const { child, state: lost } = toolgate('run', bench.workflowFile({}, TOOLS));
      await until(() => marks().includes('two'));
      child.kill('SIGKILL');
      await lost;
      const [runId = ''] = await journal.list();
      const left = groupsOf(await journal.read(runId));
      expect(left.length).toBeGreaterThan(0);
      await until(() => bench.model.bodies.length === 3 || membersOf(left).length === 0);

      bench.model.will('All done.');
      const state = await toolgate('resume', runId).state;
      expect(state).toMatchObject({
        output: 'All done.',
        stopped_by: 'completed',
        tool_calls: [
          { tool: 'mark', arguments: { n: 'one' }, result: { success: true } },
          { tool: 'linger', result: { success: false, error: { code: 'EXECUTION.CALL.IN_DOUBT' } } },
        ],
      });
      expect(marks()).toEqual(['one', 'two']);
      expect(membersOf(left)).toEqual([]);
      const told = ['Look at the note', 'You were interrupted', 'linger'];
      expect(told.filter((said) => bench.model.hasRead(said))).toEqual(told);
    });
  },
);

async function stateOf(child: ReturnType<typeof spawn>): Promise<JsonObject | undefined> {
  let out = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
  });
  await once(child, 'close');
  return out === '' ? undefined : (JSON.parse(out).states.work as JsonObject);
}

/** The processes that a run has left a trace of, each the leader of a group. */
function groupsOf(records: readonly JournalRecord[]): readonly number[] {
  return records.flatMap((record) => (record.type === 'process' ? [record.pid] : []));
}

function membersOf(groups: readonly number[]): readonly number[] {
  return listProcesses().flatMap(({ pid, group }) => (groups.includes(group) ? [pid] : []));
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await setTimeout(20);
}
