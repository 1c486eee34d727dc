import { describe, expect, it } from '@jest/globals';
import { NOTHING_ENFORCED } from '../../../../src/domain/enforcement.js';
import { eventToJson } from '../../../../src/interfaces/cli/output/event-json.js';

describe('eventToJson', () => {
  it('writes our names in snake_case and leaves the names of others alone', () => {
    expect(
      eventToJson({ type: 'call-start', step: 's', callId: 'c1', tool: 't', arguments: { camelCase: 1 } }),
    ).toEqual({ type: 'call-start', step: 's', call_id: 'c1', tool: 't', arguments: { camelCase: 1 } });
  });

  it('marks what comes from the record', () => {
    expect(
      eventToJson({ type: 'turn-end', step: 's', turn: 1, text: 'hi', calls: 0, replayed: true }),
    ).toEqual({
      type: 'turn-end',
      step: 's',
      turn: 1,
      text: 'hi',
      calls: 0,
      replayed: true,
    });
  });

  it('writes a result as the states do', () => {
    const result = {
      success: true,
      output: 'o',
      durationMs: 3,
      approval: 'auto' as const,
      enforcement: NOTHING_ENFORCED,
    };
    expect(eventToJson({ type: 'call-end', step: 's', callId: 'c1', tool: 't', result })).toMatchObject({
      call_id: 'c1',
      result: {
        success: true,
        output: 'o',
        duration_ms: 3,
        approval: 'auto',
        enforcement: { kill_tree: 'none' },
      },
    });
  });

  it('writes an approval with the hash it is for', () => {
    const decision = { kind: 'approved', planHash: 'h', scope: 'once', source: 'flag' } as const;
    expect(eventToJson({ type: 'approval-answer', step: 's', callId: 'c1', decision })).toEqual({
      type: 'approval-answer',
      step: 's',
      call_id: 'c1',
      decision: { kind: 'approved', plan_hash: 'h', scope: 'once', source: 'flag' },
    });
  });

  it('writes what belongs to no step without one', () => {
    expect(eventToJson({ type: 'run-start', runId: 'r1', workflow: 'w', resumed: false })).toEqual({
      type: 'run-start',
      run_id: 'r1',
      workflow: 'w',
      resumed: false,
    });
  });
});
