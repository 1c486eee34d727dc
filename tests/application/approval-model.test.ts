import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ApprovalDecision, ApprovalMode } from '../../src/domain/approval.js';
import { canonicalJson, type JsonObject } from '../../src/domain/json.js';
import { MemoryJournal } from '../../src/infrastructure/journal/memory-run-journal.js';
import type { ApprovalGate } from '../../src/ports/approval-gate.js';
import { agentOf, runStep, toolOf } from '../support/loop-fixture.js';

/** What may come back for a question, right or wrong; `edit` changes the number and leaves the hash as it was. */
type Move =
  | { readonly do: 'approve'; readonly scope: 'once' | 'run' | 'always' }
  | { readonly do: 'edit'; readonly to: number; readonly scope: 'once' | 'run' }
  | { readonly do: 'foreign'; readonly hash: string }
  | { readonly do: 'deny' | 'abort' | 'interrupt' | 'pending' | 'throw' | 'garbage' | 'silence' };

interface Call {
  readonly tool: ApprovalMode;
  readonly n: number;
}

const scope = fc.constantFrom('once', 'run', 'always') as fc.Arbitrary<'once' | 'run' | 'always'>;
const number = fc.integer({ min: 0, max: 5 });
const calls = fc.array(
  fc.record({ tool: fc.constantFrom<ApprovalMode>('auto', 'prompt', 'prompt', 'deny'), n: number }),
  { minLength: 1, maxLength: 4 },
);
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('approve' as const), scope }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      to: number,
      scope: fc.constantFrom('once' as const, 'run' as const),
    }),
  },
  fc.record({
    do: fc.constant('foreign' as const),
    hash: number.map((n) => `prompt${canonicalJson({ n })}`),
  }),
  fc.record({
    do: fc.constantFrom(
      'deny' as const,
      'abort' as const,
      'interrupt' as const,
      'pending' as const,
      'throw' as const,
      'garbage' as const,
      'silence' as const,
    ),
  }),
);

/** Answers by its list of moves and keeps a book of every plan that was approved in its final form. */
class Book implements ApprovalGate {
  readonly approved = new Set<string>();
  #next = 0;

  constructor(private readonly moves: readonly Move[]) {}

  async review({ planHash }: { readonly planHash: string }): Promise<ApprovalDecision> {
    const next = this.moves[this.#next++ % this.moves.length] ?? { do: 'deny' };
    switch (next.do) {
      case 'approve':
        this.approved.add(planHash);
        return { kind: 'approved', planHash, scope: next.scope, source: 'user' };
      case 'edit': {
        const args = { n: next.to };
        // An edit that changes nothing is a yes to what was shown.
        if (`prompt${canonicalJson(args)}` === planHash) this.approved.add(planHash);
        return { kind: 'approved', planHash, scope: next.scope, source: 'user', arguments: args };
      }
      case 'foreign':
        if (next.hash === planHash) this.approved.add(planHash);
        return { kind: 'approved', planHash: next.hash, scope: 'run', source: 'user' };
      case 'deny':
        return { kind: 'denied', reason: 'no' };
      case 'abort':
        return { kind: 'abort', reason: 'stop' };
      case 'interrupt':
        return { kind: 'abort', reason: 'stop', interrupted: true };
      case 'pending':
        return { kind: 'pending' };
      case 'throw':
        throw new Error('the gate broke');
      case 'garbage':
        return { kind: 'approved', planHash } as ApprovalDecision;
      case 'silence':
        return new Promise(() => undefined);
      default:
        throw next satisfies never;
    }
  }
}

describe('whatever is answered, whenever, and however often the process dies', () => {
  it('no call runs that was not approved in the very form in which it runs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(calls, { minLength: 1, maxLength: 3 }),
        fc.array(move, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        playOut,
      ),
      { numRuns: 300 },
    );
  });
});

async function playOut(turns: readonly (readonly Call[])[], moves: readonly Move[], lives: number) {
  const ran: string[] = [];
  const tools = (['auto', 'prompt', 'deny'] as const).map((mode) =>
    toolOf(mode, (args: JsonObject) => void ran.push(`${mode}${canonicalJson(args)}`), { approval: mode }),
  );
  const book = new Book(moves);
  const journal = new MemoryJournal();
  const agent = agentOf(...turns.map((turn) => turn.map(({ tool, n }) => [tool, { n }] as const)), 'done');
  const clock = { now: Date.now, elapsed: () => 0, newRunId: () => 'r' };
  for (let life = 0; life < lives; life += 1) {
    const session = await journal.open('r', life === 0 ? 'create' : 'continue');
    const request = { agent, tools, limits: { approvalTimeoutMs: 3 } };
    const { state } = await runStep(request, { gate: book, journal, session, clock });
    await session.close();
    if (state.stoppedBy !== 'suspended' && state.stoppedBy !== 'cancelled') break;
  }
  for (const plan of ran) {
    const isAllowed = plan.startsWith('auto') || (plan.startsWith('prompt') && book.approved.has(plan));
    expect({ plan, isAllowed }).toEqual({ plan, isAllowed: true });
  }
}
