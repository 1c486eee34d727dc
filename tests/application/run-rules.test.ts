import { describe, expect, it } from '@jest/globals';
import { runRulesOf } from '../../src/application/run-rules.js';
import type { EffectKind } from '../../src/domain/effect.js';
import type { JournalRecord } from '../../src/domain/journal.js';
import type { Json, JsonObject } from '../../src/domain/json.js';

const stamp = { seq: 0, at: 0 };
const asked = (id: string, kind: EffectKind = 'review') =>
  ({
    ...stamp,
    type: 'intent',
    effects: [{ id, kind, input: { plan: { tool: `tool of ${id}` } } }],
  }) as unknown;
const answered = (id: string, value: JsonObject) =>
  ({ ...stamp, type: 'outcome', id, kind: 'review', value: value as Json }) as unknown;
const yes = (more: JsonObject): JsonObject => ({ kind: 'approved', planHash: 'h', source: 'user', ...more });

describe('runRulesOf', () => {
  it('finds the rules that people gave for the run, and nothing else', () => {
    const rule = { command: ['git', 'status'] };
    const secret = { paths: ['/w/[secret inputs.name]/*'] };
    const records = [
      asked('a'),
      answered('a', yes({ scope: 'run', rule })),
      asked('b'),
      answered('b', yes({ scope: 'run' })),
      asked('c'),
      answered('c', yes({ scope: 'always', rule })),
      asked('d'),
      answered('d', { kind: 'denied', reason: 'no' }),
      asked('e'),
      answered('e', yes({ scope: 'run', rule: secret })),
      asked('f', 'call'),
    ] as readonly JournalRecord[];
    expect(runRulesOf(records)).toEqual([{ tool: 'tool of a', rule }]);
  });
});
