import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../src/domain/json.js';
import { reportOf } from '../../../../src/interfaces/cli/report/report-of.js';

const START = {
  event: 'run.start',
  execution_id: 'r1',
  workflow_name: 'w',
  user: 'ann',
  hostname: 'h',
  workspace: '/w',
  timestamp: '1',
};
const END = { event: 'run.end', status: 'success', timestamp: '9' };
const CALL = { step: 's', call_id: 'c1', tool: 'shell' };

function report(...events: readonly JsonObject[]) {
  return reportOf([START, ...events], 5);
}

describe('reportOf', () => {
  it('tells how a run ended, or that it has not', () => {
    expect(report(END).status).toBe('success');
    expect(report({ event: 'run.suspend' }).status).toBe('suspended');
    expect(report().status).toBe('unfinished');
    expect(report({ event: 'run.suspend' }, { event: 'run.resume' })).toMatchObject({
      status: 'unfinished',
      resumed: 1,
    });
  });

  it('puts what was asked, answered, run and returned into one call', () => {
    const { steps } = report(
      { ...CALL, event: 'approval.asked', reason: { kind: 'policy', text: 'it writes' } },
      {
        ...CALL,
        event: 'approval.answered',
        decision: 'approved',
        scope: 'once',
        source: 'user',
        by: 'ann',
        arguments: { command: 'ls' },
      },
      { ...CALL, event: 'tool.call', arguments: { command: 'ls' }, approval: 'user' },
      {
        ...CALL,
        event: 'tool.result',
        status: 'success',
        duration_ms: 7,
        output: 'a',
        approval: 'user',
        enforcement: { backend: 'bubblewrap' },
      },
    );
    expect(steps[0]?.calls).toEqual([
      {
        id: 'c1',
        tool: 'shell',
        arguments: { command: 'ls' },
        status: 'success',
        approval: 'user',
        answers: ['asked, because it writes', 'approved (once, user) by ann, with other arguments'],
        durationMs: 7,
        heldBy: 'bubblewrap',
        error: '',
        output: 'a',
      },
    ]);
  });

  it('keeps two calls apart that an agent gave the same id, one after the other', () => {
    const call = { ...CALL, event: 'tool.call', arguments: {} };
    const result = { ...CALL, event: 'tool.result', status: 'success' };
    expect(report(call, result, call, result).steps[0]?.calls).toHaveLength(2);
  });

  it("keeps the order of the agent's calls, and knows those that nothing was decided about", () => {
    const { steps } = report(
      {
        step: 's',
        event: 'turn',
        calls: [
          { call_id: 'c1', tool: 'shell' },
          { call_id: 'c2', tool: 'look' },
        ],
      },
      { ...CALL, call_id: 'c2', tool: 'look', event: 'tool.result', status: 'success' },
    );
    expect(steps[0]?.calls.map(({ id, status }) => [id, status])).toEqual([
      ['c1', 'open'],
      ['c2', 'success'],
    ]);
  });

  it('says of a call that began and never ended that nobody knows', () => {
    expect(report({ ...CALL, event: 'tool.call', arguments: {} }).steps[0]?.calls[0]?.status).toBe('unknown');
  });

  it.each([
    ['tool.denied', { status: 'denied', error: { message: 'no' } }, 'denied'],
    ['tool.skipped', { reason: 'past a limit' }, 'skipped'],
    ['tool.bypassed', { arguments: { file: 'x' } }, 'bypassed'],
  ])('shows a call that was told of as %s', (event, fields, status) => {
    expect(report({ ...CALL, event, ...fields }).steps[0]?.calls).toMatchObject([{ status }]);
  });

  it('adds up turns, tokens and cost of a step', () => {
    const turn = { step: 's', event: 'turn', usage: { input_tokens: 2, output_tokens: 3, cost_usd: 0.5 } };
    expect(report(turn, turn, { step: 's', event: 'step.end', stopped_by: 'completed' }).steps).toMatchObject(
      [{ name: 's', turns: 2, tokens: 10, costUsd: 1, stoppedBy: 'completed' }],
    );
  });
});
