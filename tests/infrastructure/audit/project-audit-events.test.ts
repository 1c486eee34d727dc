import { describe, expect, it } from '@jest/globals';
import type { PreparedCall } from '../../../src/domain/effect.js';
import type { JournalEntry } from '../../../src/domain/journal.js';
import type { Json } from '../../../src/domain/json.js';
import { createAuditState } from '../../../src/infrastructure/audit/audit-state.js';
import { projectAuditEvents } from '../../../src/infrastructure/audit/project-audit-events.js';
import {
  callIntent,
  callOutcome,
  numbered,
  RUN_STARTED,
  runnable,
  turnIntent,
  turnOutcome,
} from '../../support/audit-fixture.js';

const HELD = {
  backend: 'none',
  fs_read: 'none',
  fs_write: 'none',
  exec: 'none',
  network: 'none',
  memory: 'none',
  pids: 'none',
  kill_tree: 'none',
  env: 'none',
};

function project(...entries: readonly JournalEntry[]) {
  const state = createAuditState();
  return numbered(entries).flatMap((record) => projectAuditEvents(record, state));
}

function names(...entries: readonly JournalEntry[]): string[] {
  return project(...entries).map(({ event }) => event);
}

const review: PreparedCall = { ...runnable('call_001'), verdict: 'review' } as PreparedCall;
const asked: JournalEntry = {
  type: 'intent',
  effects: [
    {
      id: 's/1/1/review',
      kind: 'review',
      input: {
        callId: 'call_001',
        plan: { tool: 'shell', arguments: {}, action: { kind: 'handler' } },
        planHash: 'h',
        reason: { kind: 'policy', text: 'says prompt' },
      },
    },
  ],
};
function answered(value: Json): JournalEntry {
  return { type: 'outcome', id: 's/1/1/review', kind: 'review', value };
}

const CONVERSATION: readonly JournalEntry[] = [
  { type: 'outcome', id: 'a/b/1/listen', kind: 'listen', value: { text: 'go on', at: 5 } },
  { type: 'outcome', id: 'a/b/2/listen', kind: 'listen', value: { at: 6 } },
  {
    type: 'outcome',
    id: 'a/b/3/summary',
    kind: 'summary',
    value: { text: 'in short', usage: { inputTokens: 2, outputTokens: 1 }, at: 7 },
  },
];

describe('the trail of a conversation', () => {
  it('has what a person said, and what was summed up', () => {
    expect(project(...CONVERSATION)).toEqual([
      { event: 'user.message', details: { step: 'a/b', text: 'go on' } },
      { event: 'user.message', details: { step: 'a/b' } },
      {
        event: 'summary',
        details: {
          step: 'a/b',
          status: 'success',
          text: 'in short',
          usage: { input_tokens: 2, output_tokens: 1 },
        },
      },
    ]);
  });
});

describe('projectAuditEvents', () => {
  it('tells a run from its start to its end', () => {
    expect(
      project(
        RUN_STARTED,
        { type: 'step-started', step: 's' },
        { type: 'step-ended', step: 's', stoppedBy: 'completed' },
        { type: 'run-ended', status: 'success' },
      ),
    ).toEqual([
      {
        event: 'run.start',
        details: {
          inputs: { project: '.', api_key: 'k' },
          workspace: '/work',
          workflow_hash: 'abc',
          toolgate_version: '0.1.0',
        },
      },
      { event: 'step.start', details: { step: 's' } },
      { event: 'step.end', details: { step: 's', stopped_by: 'completed' } },
      { event: 'run.end', details: { status: 'success', duration_ms: 3_000 } },
    ]);
  });

  it('tells a turn with its usage and the calls it asked for', () => {
    const usage = { inputTokens: 10, outputTokens: 2, costUsd: 0.5 };
    expect(project(turnIntent(), turnOutcome([runnable('call_001')], { usage }))).toEqual([
      {
        event: 'turn',
        details: {
          step: 's',
          turn: 1,
          status: 'success',
          duration_ms: 1_500,
          calls: [{ call_id: 'call_001', tool: 'shell' }],
          usage: { input_tokens: 10, output_tokens: 2, cost_usd: 0.5 },
        },
      },
    ]);
  });

  it('tells why a turn failed', () => {
    const failure = { code: 'EXECUTION.PROVIDER.FAILED', message: 'no answer' } as const;
    const [turn] = project(turnIntent(), turnOutcome([], { failure }));
    expect(turn?.details).toMatchObject({ status: 'failure', error: failure });
  });

  it('tells a call and its result', () => {
    const events = project(callIntent({ command: 'ls' }), callOutcome());
    expect(events).toEqual([
      {
        event: 'tool.call',
        details: {
          step: 's',
          call_id: 'call_001',
          tool: 'shell',
          arguments: { command: 'ls' },
          approval: 'auto',
          plan_hash: 'h',
        },
      },
      {
        event: 'tool.result',
        details: {
          step: 's',
          call_id: 'call_001',
          tool: 'shell',
          status: 'success',
          duration_ms: 5,
          output: 'ok',
          approval: 'auto',
          enforcement: HELD,
        },
      },
    ]);
  });

  it('tells a denial while running apart from a failure', () => {
    const denied = { code: 'EXECUTION.SANDBOX.DENIED', message: 'outside the workspace' } as const;
    const failed = { code: 'EXECUTION.TOOL.EXIT_CODE', message: 'exit 1' } as const;
    const [, first] = project(
      callIntent(),
      callOutcome({ success: false, output: denied.message, error: denied }),
    );
    expect(first).toMatchObject({ event: 'tool.denied', details: { status: 'denied', error: denied } });
    expect(first?.details).not.toHaveProperty('output');
    const [, second] = project(callIntent(), callOutcome({ success: false, output: 'log', error: failed }));
    expect(second).toMatchObject({ event: 'tool.result', details: { status: 'failure', output: 'log' } });
  });

  it('tells calls that were refused before they could run, with their arguments', () => {
    const refuse = (id: string, code: string): PreparedCall =>
      ({
        verdict: 'refuse',
        call: { id, tool: 'shell', arguments: { command: id } },
        failure: { code, message: 'rule 3 says deny' },
      }) as PreparedCall;
    const [, denied, unknown] = project(
      turnIntent(),
      turnOutcome([refuse('a', 'EXECUTION.APPROVAL.DENIED'), refuse('b', 'EXECUTION.CALL.UNKNOWN_TOOL')]),
    );
    expect(denied).toMatchObject({
      event: 'tool.denied',
      details: { call_id: 'a', arguments: { command: 'a' }, error: { message: 'rule 3 says deny' } },
    });
    expect(unknown).toMatchObject({ event: 'tool.result', details: { call_id: 'b', status: 'failure' } });
  });

  it('tells what was asked, what was answered, and the denial that follows from it', () => {
    const entries = [turnIntent(), turnOutcome([review]), asked];
    const yes = { kind: 'approved', planHash: 'h', scope: 'once', source: 'user' };
    expect(names(...entries, answered(yes), callIntent(), callOutcome()).slice(1)).toEqual([
      'approval.asked',
      'approval.answered',
      'tool.call',
      'tool.result',
    ]);
    const events = project(...entries, answered({ kind: 'denied', reason: 'not today' })).slice(2);
    expect(events).toMatchObject([
      {
        event: 'approval.answered',
        details: { call_id: 'call_001', decision: 'denied', reason: 'not today' },
      },
      {
        event: 'tool.denied',
        details: { call_id: 'call_001', error: { code: 'EXECUTION.APPROVAL.DENIED' } },
      },
    ]);
  });

  it('takes a signal with the name of a review for its answer, and others for what they are', () => {
    const no = { kind: 'denied', reason: 'from another terminal' };
    const signal = (name: string): JournalEntry => ({ type: 'signal', name, payload: no });
    expect(
      names(turnIntent(), turnOutcome([review]), asked, signal('s/1/1/review'), signal('other')).slice(2),
    ).toEqual(['approval.answered', 'tool.denied', 'signal']);
  });

  it('tells calls that nobody ran once the next turn or the end of the step shows it', () => {
    const entries = [
      turnIntent(),
      turnOutcome([runnable('call_001'), runnable('call_002')]),
      callIntent(),
      callOutcome(),
    ];
    const [skipped] = project(...entries, turnIntent(2)).slice(3);
    expect(skipped).toMatchObject({ event: 'tool.skipped', details: { call_id: 'call_002', tool: 'shell' } });
    expect(names(...entries, { type: 'step-ended', step: 's', stoppedBy: 'aborted' }).slice(3)).toEqual([
      'tool.skipped',
      'step.end',
    ]);
  });

  it('does not call skipped what a suspended or cancelled run may still run', () => {
    const entries = [turnIntent(), turnOutcome([review]), asked];
    expect(names(...entries, { type: 'run-ended', status: 'suspended' }).slice(2)).toEqual(['run.suspend']);
    expect(names(...entries, { type: 'run-ended', status: 'cancelled' }).slice(2)).toEqual(['run.end']);
  });

  it('tells the call again with the arguments that a person changed, or why these may not run', () => {
    const edited: JournalEntry = {
      type: 'outcome',
      id: 's/1/1/prepare',
      kind: 'prepare',
      value: {
        verdict: 'refuse',
        call: { id: 'call_001', tool: 'shell', arguments: { command: 'rm' } },
        failure: { code: 'EXECUTION.SANDBOX.DENIED', message: 'rm is not allowed' },
      },
    };
    const [denied] = project(turnIntent(), turnOutcome([review]), edited).slice(1);
    expect(denied).toMatchObject({ event: 'tool.denied', details: { arguments: { command: 'rm' } } });
  });

  it('tells which call started a process', () => {
    const started: JournalEntry = { type: 'process', id: 's/1/1/call', pid: 7, startTime: '1' };
    expect(project(callIntent(), started)[1]).toEqual({
      event: 'process.start',
      details: { step: 's', call_id: 'call_001', tool: 'shell', pid: 7 },
    });
  });
});

describe('the trail of a call in doubt', () => {
  const denial = { kind: 'denied', unavailable: true, reason: 'nobody could be asked' };
  const failure = { code: 'EXECUTION.CALL.IN_DOUBT', message: 'nobody knows' } as const;

  it('answers it once, by its own outcome: it began, so that it was not denied', () => {
    const events = project(
      ...[RUN_STARTED, turnIntent(), turnOutcome([runnable('call_001')]), callIntent()],
      ...[{ type: 'run-resumed' } as const, asked, answered(denial)],
      callOutcome({ success: false, output: failure.message, error: failure }),
    );
    expect(events.map(({ event }) => event).slice(-3)).toEqual([
      'approval.asked',
      'approval.answered',
      'tool.result',
    ]);
    expect(events.at(-1)?.details).toMatchObject({ call_id: 'call_001', tool: 'shell', status: 'failure' });
  });
});
