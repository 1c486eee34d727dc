import { describe, expect, it } from '@jest/globals';
import type { Message } from '../../src/domain/message.js';
import { DEFAULT_TOOL_OPTIONS } from '../../src/domain/workflow.js';
import { agentOf, type Turn, toolOf } from '../support/loop-fixture.js';
import { Fixture, step, workflow } from '../support/run-fixture.js';

const TO_TWO = { kind: 'step', name: 'two' } as const;
const SINGLE = { mode: 'single' } as const;
const SAID = { role: 'assistant', content: 'hm', calls: [] } as const;

/** Takes a run apart after each of its records and resumes it; gives what every resumed run asked its agents. */
async function resumedFromEach(make: () => Fixture, whole: Fixture): Promise<Fixture[]> {
  const records = await whole.journal.read('run-1');
  const resumed: Fixture[] = [];
  // The last record says that the run is over.
  for (let length = 1; length < records.length; length += 1) {
    const fixture = make();
    const again = new Fixture(fixture.agents, fixture.tools, records.slice(0, length));
    await again.resume();
    resumed.push(again);
  }
  return resumed;
}

describe('a step that goes on from an earlier one', () => {
  const first: Turn[] = [[['t', { n: 1 }]], 'looked'];
  const flow = workflow([
    step('one', { tools: ['t'], systemPrompt: 'be kind', onSuccess: TO_TWO }),
    step('two', { conversation: { ...SINGLE, continueFrom: 'one' } }),
  ]);

  it('takes over what was said, with calls and results, and whoever the agent was told to be', async () => {
    const two = agentOf('unused', 'unused', 'and on');
    const fixture = new Fixture({ one: agentOf(...first), two }, [toolOf('t')]);
    const outcome = await fixture.run(flow);
    expect(two.requests[0]?.messages).toEqual([
      { role: 'system', content: 'be kind' },
      { role: 'user', content: 'do one' },
      { role: 'assistant', content: '', calls: [{ id: 'c1.1', name: 't', arguments: { n: 1 } }] },
      { role: 'tool', results: [{ callId: 'c1.1', tool: 't', output: 't done', isError: false }] },
      { role: 'assistant', content: 'looked', calls: [] },
      { role: 'user', content: 'do two' },
    ]);
    expect(outcome.states.get('two')).toMatchObject({
      turns: 1,
      conversation: { turns: 1, stoppedBy: 'completed' },
    });
    expect(outcome.states.get('one')?.conversation).toBeUndefined();
  });

  it('tells the agent who it is anew where it says so', async () => {
    const two = agentOf('ok');
    const fixture = new Fixture({ one: agentOf(...first), two }, [toolOf('t')]);
    const [one, next] = flow.steps;
    if (!one || !next) throw new Error('two steps');
    await fixture.run({ ...flow, steps: [one, { ...next, systemPrompt: 'be brief' }] });
    expect(two.requests[0]?.messages.filter(({ role }) => role === 'system')).toEqual([
      { role: 'system', content: 'be brief' },
    ]);
  });

  it("keeps a provider's own message for that provider only", async () => {
    const raw = { thinking: 'signed' };
    const speaks = (name: string) => {
      const seen: (readonly Message[])[] = [];
      const message = { role: 'assistant', content: 'hm', calls: [], raw } as const;
      return {
        name,
        seen,
        complete: async ({ messages }: { messages: readonly Message[] }) => {
          seen.push([...messages]);
          return { message };
        },
      };
    };
    for (const [other, kept] of [
      ['a', raw],
      ['b', undefined],
    ] as const) {
      const [one, two] = [speaks('a'), speaks(other)];
      await new Fixture({ one, two }, [toolOf('t')]).run(flow);
      expect(two.seen[0]?.find(({ role }) => role === 'assistant')).toMatchObject(kept ? { raw: kept } : {});
      expect('raw' in (two.seen[0]?.find(({ role }) => role === 'assistant') ?? {})).toBe(kept !== undefined);
    }
  });

  it.each([
    ['another model', { options: { model: 'large' } }],
    ['another address', { options: { model: 'small', base_url: 'https://elsewhere.example' } }],
    ['no calls of its own, as it writes them as text', { toolProtocol: 'text', tools: ['t'] }],
  ] as const)('does not hand what was signed to %s', async (_who, different) => {
    const raw = { signed: 'by the small one' };
    const two = agentOf('ok');
    const one = { name: two.name, complete: async () => ({ message: { ...SAID, raw } }) };
    const [first, second] = flow.steps;
    if (!first || !second) throw new Error('two steps');
    const options = { model: 'small' };
    const steps = [
      { ...first, options },
      { ...second, options, ...different },
    ];
    await new Fixture({ one, two }, [toolOf('t')]).run({ ...flow, steps });
    expect(two.requests[0]?.messages).toContainEqual(SAID);
  });

  it('gives calls ids that every provider takes', async () => {
    const id = `functions.t:0/${'x'.repeat(50)}`;
    const turns = [{ ...SAID, calls: [{ id, name: 't', arguments: {} }] }, SAID];
    const one = { name: 'a', complete: async () => ({ message: turns.shift() ?? SAID }) };
    const two = { ...agentOf('ok'), name: 'b' };
    await new Fixture({ one, two }, [toolOf('t')]).run(flow);
    expect(two.requests[0]?.messages).toMatchObject([
      { role: 'system' },
      { role: 'user' },
      { calls: [{ id: 'earlier_1', name: 't' }] },
      { results: [{ callId: 'earlier_1', tool: 't' }] },
      SAID,
      { role: 'user' },
    ]);
  });

  it('says so when the earlier step has not run', async () => {
    const only = workflow([step('two', { conversation: { ...SINGLE, continueFrom: 'one' } })]);
    await expect(new Fixture({ two: agentOf('x') }).run(only)).rejects.toThrow(
      'Step "two" goes on from "one" (continue_from), which has not run',
    );
  });

  it('takes over the same after every crash', async () => {
    const make = () =>
      new Fixture({ one: agentOf(...first), two: agentOf('on') }, [
        toolOf('t', undefined, { idempotent: true }),
      ]);
    const whole = make();
    await whole.run(flow);
    const asked = (fixture: Fixture) =>
      (fixture.agents.two as ReturnType<typeof agentOf>).requests.map(({ messages }) => messages);
    for (const resumed of await resumedFromEach(make, whole)) {
      expect([asked(whole), []]).toContainEqual(asked(resumed));
    }
  });
});

describe('a budget of the whole workflow', () => {
  const usage = { inputTokens: 40, outputTokens: 20, costUsd: 0.5 };
  const steps = [step('one', { onSuccess: TO_TWO, onFailure: TO_TWO }), step('two')];

  it.each([
    [{ maxTokens: 100 }, 'max_tokens'],
    [{ maxCostUsd: 1 }, 'max_cost'],
  ])('counts what all steps use: %j', async (budget, reason) => {
    const two = agentOf({ calls: [['t', {}]], usage }, 'never');
    const fixture = new Fixture({ one: agentOf({ text: 'one', usage }), two }, [toolOf('t')]);
    const [one, next] = steps;
    if (!one || !next) throw new Error('two steps');
    const outcome = await fixture.run(workflow([one, { ...next, tools: ['t'] }], { budget }));
    expect(outcome.states.get('one')?.stoppedBy).toBe('completed');
    expect(outcome.states.get('two')).toMatchObject({ stoppedBy: reason, turns: 1 });
    expect(outcome.status).toBe('failure');
  });

  it('asks nobody in a step that begins when it is used up', async () => {
    const two = agentOf('never');
    const fixture = new Fixture({ one: agentOf({ text: 'one', usage }), two });
    const outcome = await fixture.run(workflow(steps, { budget: { maxTokens: 60 } }));
    expect(outcome.states.get('two')).toMatchObject({ stoppedBy: 'max_tokens', turns: 0, output: '' });
    expect(two.requests).toEqual([]);
  });

  it('has one clock for all steps', async () => {
    const agents = { one: agentOf('one'), two: agentOf([['t', {}]], 'never') };
    const [one, next] = steps;
    if (!one || !next) throw new Error('two steps');
    const flow = workflow([one, { ...next, tools: ['t'] }], { budget: { maxDurationMs: 4 } });
    const outcome = await new Fixture(agents, [toolOf('t')]).run(flow);
    expect(outcome.states.get('two')?.stoppedBy).toBe('max_duration');
  });

  it('stands beside the limits of a step', async () => {
    const toolOptions = { ...DEFAULT_TOOL_OPTIONS, maxTokens: 50 };
    const fixture = new Fixture({ one: agentOf({ calls: [['t', {}]], usage }, 'never') }, [toolOf('t')]);
    const flow = workflow([step('one', { tools: ['t'], toolOptions })], { budget: { maxTokens: 1_000 } });
    expect((await fixture.run(flow)).states.get('one')?.stoppedBy).toBe('max_tokens');
  });

  it('is the same after every crash', async () => {
    const make = () =>
      new Fixture(
        { one: agentOf({ text: 'one', usage }), two: agentOf({ calls: [['t', {}]], usage }, 'never') },
        [toolOf('t')],
      );
    const [one, next] = steps;
    if (!one || !next) throw new Error('two steps');
    const whole = make();
    await whole.run(workflow([one, { ...next, tools: ['t'] }], { budget: { maxTokens: 100 } }));
    for (const resumed of await resumedFromEach(make, whole)) {
      const ended = resumed.events.flatMap((event) =>
        event.type === 'step-end' ? [event.state.stoppedBy] : [],
      );
      expect(ended).toEqual(['completed', 'max_tokens']);
    }
  });
});
