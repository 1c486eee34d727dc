import { describe, expect, it } from '@jest/globals';
import type { StepRequest } from '../../../../src/application/step-request.js';
import type { Json, JsonObject } from '../../../../src/domain/json.js';
import { ProviderRegistry } from '../../../../src/infrastructure/providers/provider-registry.js';
import { json } from '../../../support/fake-model/answers.js';
import { type Answer, FakeModelServer } from '../../../support/fake-model/fake-model-server.js';
import { runStep, toolOf } from '../../../support/loop-fixture.js';

/** What servers of one's own answer: as OpenAI does, but nobody counts. */
const says = (message: JsonObject, more: JsonObject = {}): Answer =>
  json({
    choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: 'stop' }],
    ...more,
  } as unknown as Json);
const text = (content: string): Answer => says({ content });
const calls = (...ids: readonly string[]): Answer =>
  says({
    tool_calls: ids.map((id) => ({
      id,
      type: 'function',
      function: { name: 'look', arguments: '{"at":"a"}' },
    })),
  });

interface Asked extends Partial<StepRequest> {
  readonly own?: JsonObject;
}

async function run(answers: readonly Answer[], { own, ...request }: Asked) {
  await using server = await FakeModelServer.start();
  server.will(...answers);
  const options = { model: 'm', base_url: server.url, stream: false, max_retries: 0, ...own };
  const agent = await new ProviderRegistry({ env: {} }).create('openai_compatible', options);
  const ended = await runStep({ tools: [toolOf('look')], ...request, agent });
  const sent = server.seen.map(({ body }) => body.messages as readonly { role: string; content: string }[]);
  const warnings = ended.events.flatMap((event) =>
    event.type === 'agent-notice' && event.notice.kind === 'warning' ? [event.notice.message] : [],
  );
  return { ...ended, sent, warnings };
}

const AUTOMATIC = { mode: 'automatic', nextPrompt: 'go on' } as const;

describe('a step with a server of one’s own', () => {
  it('is held to its tokens by an estimate, where the server counts none', async () => {
    const long = 'word '.repeat(100);
    const answers = Array.from({ length: 9 }, () => text(long));
    const { state } = await run(answers, { conversation: AUTOMATIC, limits: { maxTokens: 500 } });
    // About 150 for the first request and its reply, twice as much for the second.
    expect(state).toMatchObject({ stoppedBy: 'max_tokens', turns: 3, usage: { inputTokens: 0 } });
    expect(state.usage.estimatedTokens).toBe(state.conversation?.totalTokens);
    expect(state.usage.estimatedTokens).toBeGreaterThan(500);
  });

  it('has its tokens estimated for a condition that asks, and for nobody else', async () => {
    const stopCondition = 'tokens_used > 20';
    const asked = await run([text('one'), text('two'), text('x')], {
      conversation: { ...AUTOMATIC, stopCondition },
    });
    expect(asked.state.conversation).toMatchObject({ stoppedBy: 'condition', turns: 2 });
    const free = await run([text('one')], {});
    expect(free.state.usage).toEqual({ inputTokens: 0, outputTokens: 0 });
  });

  it('is believed where it counts', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    const answers = Array.from({ length: 3 }, () => says({ content: 'word '.repeat(100) }, { usage }));
    const conversation = { ...AUTOMATIC, maxTurns: 3 };
    const { state } = await run(answers, { conversation, limits: { maxTokens: 100 } });
    expect(state).toMatchObject({ stoppedBy: 'completed', usage: { inputTokens: 3, outputTokens: 3 } });
  });

  it('warns that money is no limit where nobody knows the price, and only where it is meant to be one', async () => {
    const limits = { maxCostUsd: 0.01 };
    const unknown = await run([text('ok')], { limits });
    expect(unknown.warnings).toEqual([
      expect.stringMatching(/^max_cost_usd cannot hold: the price of "m" is not known.*`prices`/),
    ]);
    const written = await run([text('ok')], { limits, protocol: { protocol: 'text' } });
    expect(written.warnings).toEqual(unknown.warnings);
    const known = await run([text('ok')], { limits, own: { prices: { input: 1, output: 1 } } });
    expect([...known.warnings, ...(await run([text('ok')], {})).warnings]).toEqual([]);
  });

  it('may take calls out of a text that was to have them: they are made, and put back', async () => {
    const { state, sent } = await run([calls('x', 'y'), text('It is open.')], {
      protocol: { protocol: 'text' },
    });
    expect(state).toMatchObject({
      output: 'It is open.',
      toolCalls: [
        { tool: 'look', arguments: { at: 'a' }, result: { success: true } },
        { tool: 'look', arguments: { at: 'a' }, result: { success: true } },
      ],
    });
    expect(sent[1]?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(sent[1]?.[2]?.content.match(/<tool_call>\s*\{"name": ?"look"/g)).toHaveLength(2);
  });

  it.each(['sliding_window', 'truncate_middle', 'summarize'] as const)(
    'gets no two messages of the user in a row, whatever was left out (%s)',
    async (strategy) => {
      const exchange = (n: number) => [calls(`c${n}`), text(`answer ${'word '.repeat(60)}`)];
      const answers = Array.from({ length: 40 }, (_, n) => exchange(n)).flat();
      const conversation = { ...AUTOMATIC, maxTurns: 12, maxContextTokens: 900, strategy };
      const tools = [toolOf('look', () => 'seen '.repeat(30))];
      for (const protocol of ['native', 'text'] as const) {
        const { sent, events } = await run(answers, { conversation, tools, protocol: { protocol } });
        expect(events.some(({ type }) => type === 'context-cut')).toBe(true);
        const rows = sent.map((messages) => messages.map(({ role }) => role).join(' '));
        expect(rows.filter((roles) => roles.includes('user user'))).toEqual([]);
      }
    },
  );
});
