import { describe, expect, it } from '@jest/globals';
import type { NewDecision, RememberedDecisions } from '../../src/ports/remembered-decisions.js';

export const RULE: NewDecision = {
  tool: 'shell',
  rule: { command: ['git', 'status'], paths: ['a*'], hosts: ['x.org'], methods: ['GET'] },
  by: 'ada: "the first" #1',
  at: Date.UTC(2026, 0, 31),
  note: 'two\nlines',
};
const CALL: NewDecision = { tool: 'write', planHash: 'ab12', at: Date.UTC(2026, 1, 1), note: '' };

/** What every store of decisions promises, wherever it keeps them. */
export function describeRememberedDecisionsContract(name: string, make: () => RememberedDecisions): void {
  describe(`${name} as RememberedDecisions`, () => {
    it('gives back what was added, in order, each under an id of its own', async () => {
      const store = make();
      expect(await store.read()).toEqual({ decisions: [] });
      const [first, second] = [await store.add(RULE), await store.add(CALL)];
      expect(first.id).not.toBe(second.id);
      expect(await store.read()).toEqual({
        decisions: [
          { ...RULE, id: first.id },
          { ...CALL, id: second.id },
        ],
      });
    });

    it('takes back one of them, once', async () => {
      const store = make();
      const [first, second] = [await store.add(RULE), await store.add(RULE)];
      expect(await store.revoke(first.id)).toBe(true);
      expect(await store.revoke(first.id)).toBe(false);
      expect((await store.read()).decisions).toEqual([second]);
    });

    it('loses none of those that are added at once', async () => {
      const store = make();
      const added = await Promise.all(Array.from({ length: 8 }, () => store.add(RULE)));
      const { decisions } = await store.read();
      expect(decisions.map(({ id }) => id).sort()).toEqual(added.map(({ id }) => id).sort());
    });
  });
}
