import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { RunEvent, RunOutcome } from '../../src/application/run-request.js';
import { stateToJson } from '../../src/application/state-json.js';
import type { WorkflowRunner } from '../../src/application/workflow-runner.js';
import { createContainer, loadWorkflow } from '../../src/container.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { ApprovalGate } from '../../src/ports/approval-gate.js';
import type { RunJournal } from '../../src/ports/run-journal.js';
import { TOKENS } from '../../src/ports/tokens.js';
import type { ToolServer } from '../../src/ports/tool-server.js';
import { type ScriptedAnswer, ScriptedApprovalGate } from '../../src/testing/scripted-approval-gate.js';
import { askedFor, CliBench } from './cli-bench.js';
import type { ModelServer } from './model-server.js';

// Some of them need many seconds to start.
jest.setTimeout(120_000);

describe.each(askedFor().map((fixture) => [fixture.name, fixture] as const))(
  '%s, the real one',
  (_name, fixture) => {
    const before = { ...process.env };
    let bench: CliBench;
    let model: ModelServer;

    beforeAll(async () => {
      bench = await CliBench.open(fixture);
      model = bench.model;
      Object.assign(process.env, bench.env);
    });

    afterAll(async () => {
      process.env = before;
      await bench[Symbol.asyncDispose]();
    });

    async function run(step: JsonObject = {}, answers: readonly ScriptedAnswer[] = [], serverDelayMs = 0) {
      const { workspace } = bench;
      const workflow = await loadWorkflow(bench.workflowFile(step));
      const container = await createContainer({ journal: 'file', workspace });
      const gate = new ScriptedApprovalGate(answers);
      container.rebind<ApprovalGate>(TOKENS.ApprovalGate).toConstantValue(gate);
      const server = container.get<ToolServer>(TOKENS.ToolServer);
      container.rebind<ToolServer>(TOKENS.ToolServer).toConstantValue(slow(server, serverDelayMs));
      const runner = container.get<WorkflowRunner>(TOKENS.WorkflowRunner);
      const signal = new AbortController().signal;
      const started = runner.run({ workflow, inputs: {}, workspace, env: process.env }, { signal });
      const { outcome, events } = await drive(started);
      const records = await container.get<RunJournal>(TOKENS.RunJournal).read(outcome.runId);
      const state = outcome.states.get('work');
      if (!state) throw new Error('no state');
      return { state: stateToJson(state), events, gate, records };
    }

    it("reads a file through the gate, and its answer is the step's", async () => {
      model.will({ tool: 'read_file', arguments: { path: 'note.txt' } }, 'It says 4711.');
      const { state, events, records } = await run();
      expect(state).toMatchObject({
        output: 'It says 4711.',
        stopped_by: 'completed',
        turns: 1,
        tool_calls: [
          { tool: 'read_file', arguments: { path: 'note.txt' }, result: { success: true, approval: 'auto' } },
        ],
      });
      expect(model.hasRead('4711')).toBe(true);
      if (!fixture.tellsNoUsage) expect((state.usage as JsonObject).input_tokens).toBeGreaterThan(0);
      const notices = events.flatMap((event) => (event.type === 'agent-notice' ? [event.notice] : []));
      expect(notices.filter(({ kind }) => kind !== 'warning')).toEqual([
        { kind: 'session', id: expect.any(String) },
      ]);
      expect(events.some(({ type }) => type === 'text-delta')).toBe(true);
      const ids = records.flatMap((record) =>
        record.type === 'outcome' && record.kind !== 'notice' ? [record.id] : [],
      );
      expect(ids).toEqual(['work/begin', 'work/1/1/ask', 'work/1/1/call', 'work/1/turn']);
    });

    it('waits for tools that are slow to come, and does not ask its model without them', async () => {
      model.will({ tool: 'read_file', arguments: { path: 'note.txt' } }, 'It says 4711.');
      const { state } = await run({}, [], 10_000);
      expect(state).toMatchObject({
        output: 'It says 4711.',
        tool_calls: [{ tool: 'read_file', result: { success: true } }],
      });
    });

    it('is denied a write, and reads why', async () => {
      model.will({ tool: 'write_file', arguments: { path: 'new.txt', content: 'x' } }, 'I may not.');
      const { state } = await run({}, ['deny']);
      expect(state).toMatchObject({
        output: 'I may not.',
        tool_calls: [{ tool: 'write_file', result: { success: false } }],
      });
      expect(model.hasRead('the scripted gate said no')).toBe(true);
      expect(existsSync(join(bench.workspace, 'new.txt'))).toBe(false);
    });

    it('has an argument changed by whoever approves', async () => {
      model.will({ tool: 'write_file', arguments: { path: 'a.txt', content: 'one' } }, 'Written.');
      const edit: ScriptedAnswer = ({ planHash }) => ({
        kind: 'approved',
        planHash,
        scope: 'once',
        source: 'user',
        arguments: { path: 'a.txt', content: 'two' },
      });
      const { state, gate } = await run({}, [edit, 'approve']);
      expect(gate.requests).toHaveLength(2);
      expect(readFileSync(join(bench.workspace, 'a.txt'), 'utf8')).toBe('two');
      expect(state).toMatchObject({ output: 'Written.', tool_calls: [{ arguments: { content: 'two' } }] });
    });

    it('refuses its model a tool of its own, which is then no bypass', async () => {
      model.will(fixture.ownTool, 'I could not.');
      const { state, events } = await run();
      expect(state).toMatchObject({ output: 'I could not.', stopped_by: 'completed' });
      const notices = events.flatMap((event) => (event.type === 'agent-notice' ? [event.notice] : []));
      expect(notices.filter(({ kind }) => kind === 'bypassed')).toEqual([]);
    });

    it('is ended when it has used up its calls', async () => {
      const read = { tool: 'read_file', arguments: { path: 'note.txt' } };
      model.will(read, read, read, read, 'never said');
      const { state } = await run({ tool_options: { max_calls: 2 } });
      expect(state).toMatchObject({ stopped_by: 'max_calls', tool_stats: { total_calls: 3, successful: 2 } });
      expect(state.output).not.toContain('never said');
    });

    it('goes on with its session in the next turn of a conversation', async () => {
      model.will({ tool: 'read_file', arguments: { path: 'note.txt' } }, 'First.', 'Second.');
      const told = ['Look at the note', '4711', 'First.', 'And now?'];
      const { state } = await run({
        initial_prompt: 'Look at the note, please.',
        prompt: 'And now?',
        conversation: { max_turns: 2 },
      });
      expect(state).toMatchObject({ output: 'Second.', stopped_by: 'completed', turns: 2 });
      expect(told.filter((said) => model.hasRead(said))).toEqual(told);
    });
  },
);

/** As on a machine that is too busy to start a program within the few seconds that a command line waits by itself. */
function slow(server: ToolServer, delayMs: number): ToolServer {
  return {
    serveHttp: (...args) => server.serveHttp(...args),
    clientApprovals: (next) => server.clientApprovals(next),
    serveStream: async (...args) => {
      await setTimeout(delayMs);
      await server.serveStream(...args);
    },
  };
}

async function drive(run: AsyncGenerator<RunEvent, RunOutcome, void>) {
  const events: RunEvent[] = [];
  for (;;) {
    const next = await run.next();
    if (next.done) return { outcome: next.value, events };
    events.push(next.value);
  }
}
