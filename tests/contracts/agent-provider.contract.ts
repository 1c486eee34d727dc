import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import { deepFreeze } from '../../src/domain/json.js';
import type { Message } from '../../src/domain/message.js';
import { createTool } from '../../src/domain/tool.js';
import { ProviderRegistry } from '../../src/infrastructure/providers/provider-registry.js';
import type { AgentProvider } from '../../src/ports/agent-provider.js';
import { hangUp } from '../support/fake-model/answers.js';
import { FakeModelServer } from '../support/fake-model/fake-model-server.js';
import type { ModelWire, WireTurn } from '../support/fake-model/model-wire.js';
import { gateOf, runStep, toolOf } from '../support/loop-fixture.js';

const PROMPT: Message = { role: 'user', content: 'go' };
const DONE: WireTurn = { text: 'All done.' };

function calling(...names: readonly string[]): WireTurn {
  const calls = names.map((name, index) => ({ id: `toolu_${name}_${index}`, name, arguments: { n: index } }));
  return { text: 'I try.', calls };
}

/** What every provider that speaks to a model's API promises, on a real socket. */
export function describeAgentProviderContract(wire: ModelWire): void {
  const make = (server: FakeModelServer, options: JsonObject = {}): Promise<AgentProvider> =>
    new ProviderRegistry({ env: wire.env }).create(wire.provider, {
      ...wire.options,
      base_url: server.url,
      ...options,
    });
  const ask = (
    agent: AgentProvider,
    messages: readonly Message[] = [PROMPT],
    signal = new AbortController().signal,
  ) => agent.complete({ messages, tools: [], options: {} }, { signal });

  describe.each([
    ['streamed', true],
    ['whole', false],
  ])(`the provider "${wire.provider}", %s`, (_name, stream) => {
    /** Runs a step in which the model takes these turns. */
    async function run(
      turns: readonly WireTurn[],
      request: Partial<Parameters<typeof runStep>[0]>,
      fixture = {},
    ) {
      await using server = await FakeModelServer.start();
      server.will(...turns.map((turn) => wire.answer(turn, stream)));
      const agent = await make(server, { stream });
      const ended = await runStep({ agent, ...request }, fixture);
      return { ...ended, bodies: server.seen.map(({ body }) => body) };
    }

    it('runs two calls of one reply and answers both at once, in their order', async () => {
      const tools = [
        toolOf('slow', () => new Promise((done) => setImmediate(() => done('one')))),
        toolOf('quick', () => 'two'),
      ];
      const { state, bodies } = await run([calling('slow', 'quick'), DONE], { tools });
      expect(state).toMatchObject({ output: 'All done.', stoppedBy: 'completed', turns: 2 });
      expect(state.toolCalls).toMatchObject([
        { tool: 'slow', arguments: { n: 0 }, result: { success: true } },
        { tool: 'quick', arguments: { n: 1 }, result: { success: true } },
      ]);
      expect(new Set(state.toolCalls.map(({ id }) => id)).size).toBe(2);
      expect(bodies.map(wire.callable)).toEqual([
        ['slow', 'quick'],
        ['slow', 'quick'],
      ]);
      expect(wire.results(bodies[1] ?? {})).toEqual([
        { output: 'one', isError: false },
        { output: 'two', isError: false },
      ]);
      expect(state.usage).toMatchObject({
        inputTokens: expect.any(Number),
        outputTokens: expect.any(Number),
      });
    });

    it('tells the model of a call that failed, of a denial, of a tool there is not and of wrong arguments', async () => {
      const broken = toolOf('broken', () => {
        throw new Error('out of paper');
      });
      const turn = calling('broken', 'forbidden', 'invented');
      const { state, bodies } = await run(
        [turn, DONE],
        { tools: [broken, toolOf('forbidden', undefined, { approval: 'prompt' })] },
        { gate: gateOf('denied') },
      );
      expect(state.stoppedBy).toBe('completed');
      expect(wire.results(bodies[1] ?? {})).toEqual([
        { output: expect.stringContaining('out of paper'), isError: true },
        { output: expect.stringContaining('because'), isError: true },
        { output: expect.stringContaining('invented'), isError: true },
      ]);
    });

    it('sends back what the model said as it was said', async () => {
      const turns = [calling('look'), calling('peek'), DONE];
      const { bodies } = await run(turns, { tools: [toolOf('look'), toolOf('peek')] });
      expect(wire.replayed(bodies[2] ?? {})).toEqual(turns.slice(0, 2).map(wire.spoken));
    });

    it('gets on with a model that gives all its calls the same id', async () => {
      const same = {
        text: 'I try.',
        calls: [0, 1].map((n) => ({ id: 'c', name: 'look', arguments: { n } })),
      };
      const { state, bodies } = await run([same, same, DONE], {
        tools: [toolOf('look', ({ n }) => `saw ${n}`)],
      });
      expect(new Set(state.toolCalls.map(({ id }) => id)).size).toBe(4);
      expect(wire.results(bodies[2] ?? {}).map(({ output }) => output)).toEqual(['saw 0', 'saw 1']);
    });

    it('survives names that nobody has, 10 MB of arguments, 128 tools and halves of characters', async () => {
      const names = ['multi_tool_use.parallel', 'читать', '', 'x'.repeat(500)];
      const odd = { calls: names.map((name, index) => ({ id: `odd_${index}`, name, arguments: {} })) };
      const long = { calls: [{ id: 'long', name: 'tool_0', arguments: { text: 'x'.repeat(10_000_000) } }] };
      const tools = Array.from({ length: 128 }, (_, n) =>
        toolOf(`tool_${n}`, ({ text }) => `${String(text).length}\ud83d`),
      );
      const { state, bodies } = await run([odd, long, DONE], { tools });
      expect(state).toMatchObject({ output: 'All done.', stoppedBy: 'completed' });
      expect(wire.callable(bodies[0] ?? {})).toHaveLength(128);
      expect(wire.results(bodies[1] ?? {}).map(({ isError }) => isError)).toEqual(names.map(() => true));
      expect(wire.results(bodies[2] ?? {})).toEqual([{ output: '10000000\ufffd', isError: false }]);
    });

    it('writes the same request for messages that were stored and read again', async () => {
      await using server = await FakeModelServer.start();
      server.will(wire.answer(calling('look'), stream), wire.answer(DONE, stream), wire.answer(DONE, stream));
      const { message } = await ask(await make(server, { stream }));
      const results = message.calls.map(({ id }) => ({
        callId: id,
        tool: 'look',
        output: 'seen',
        isError: false,
      }));
      const messages: readonly Message[] = [PROMPT, message, { role: 'tool', results }];
      await ask(await make(server, { stream }), messages);
      await ask(await make(server, { stream }), JSON.parse(JSON.stringify(messages)));
      expect(server.seen[2]?.text).toBe(server.seen[1]?.text);
    });

    it('lets nothing be called on the turn that sums up', async () => {
      const tools = [toolOf('look')];
      const limits = { maxCalls: 1, timeoutPerCallMs: 1_000, maxParallel: 1 };
      const { state, bodies } = await run([calling('look', 'look'), DONE], { tools, limits });
      expect(state).toMatchObject({ output: 'All done.', stoppedBy: 'max_calls' });
      expect(bodies.map(wire.callable)).toEqual([['look'], []]);
    });

    it('keeps up a conversation of 100 turns', async () => {
      const result = 'x'.repeat(2_048);
      const turns = Array.from({ length: 100 }, (_, turn) => ({
        text: `turn ${turn}`,
        calls: [{ id: `toolu_${turn}`, name: 'look', arguments: { turn } }],
      }));
      const limits = { maxCalls: 200, timeoutPerCallMs: 1_000, maxParallel: 1 };
      const { state, bodies } = await run([...turns, DONE], {
        tools: [toolOf('look', () => result)],
        limits,
      });
      expect(state).toMatchObject({ stoppedBy: 'completed', turns: 101 });
      expect(wire.replayed(bodies[100] ?? {})).toEqual(turns.map(wire.spoken));
    });

    it('leaves the messages alone, and gives the text as it comes', async () => {
      await using server = await FakeModelServer.start();
      server.will(wire.answer({ text: 'Good morning.' }, stream));
      const agent = await make(server, { stream });
      const messages = deepFreeze<Message[]>([{ role: 'system', content: 'Be brief.' }, PROMPT]);
      const deltas: string[] = [];
      const { signal } = new AbortController();
      const tools = deepFreeze([createTool({ name: 'look' })]);
      const { message } = await agent.complete(
        { messages, tools, options: {} },
        { signal, onText: (text) => void deltas.push(text) },
      );
      expect(message).toMatchObject({ role: 'assistant', content: 'Good morning.', calls: [] });
      expect(deltas.join('')).toBe('Good morning.');
      if (stream) expect(deltas.length).toBeGreaterThan(1);
    });

    it('answers two questions at once', async () => {
      await using server = await FakeModelServer.start();
      server.will(wire.answer({ text: 'one' }, stream), wire.answer({ text: 'two' }, stream));
      const agent = await make(server, { stream });
      const replies = await Promise.all([ask(agent), ask(agent)]);
      expect(replies.map(({ message }) => message.content).sort()).toEqual(['one', 'two']);
    });

    it('asks again after a passing failure', async () => {
      await using server = await FakeModelServer.start();
      server.will(hangUp, wire.error(529, 'Overloaded'), wire.answer(DONE, stream));
      const { message } = await ask(await make(server, { stream }));
      expect(message.content).toBe('All done.');
      expect(new Set(server.seen.map(({ text }) => text)).size).toBe(1);
    });

    it("fails with the API's own words, and without the key", async () => {
      await using server = await FakeModelServer.start();
      const [key = ''] = Object.values(wire.env);
      server.will(wire.error(401, `the key ${key} is not valid`));
      const failed = await ask(await make(server, { stream })).catch((error) => error);
      expect(failed).toMatchObject({ code: 'EXECUTION.PROVIDER.AUTH' });
      expect(failed.message).toContain('is not valid');
      expect(JSON.stringify([failed, failed.message, failed.stack])).not.toContain(key);
      expect(server.seen).toHaveLength(1);
    });
  });

  describe(`the provider "${wire.provider}", while a stream goes on`, () => {
    it('closes the connection at once when it is cancelled', async () => {
      await using server = await FakeModelServer.start();
      server.will(wire.beginning('Once upon'));
      const agent = await make(server);
      const stop = new AbortController();
      const asked = agent.complete(
        { messages: [PROMPT], tools: [], options: {} },
        { signal: stop.signal, onText: () => stop.abort() },
      );
      await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
      await server.seen[0]?.closed;
    });

    it('is not asked when it was cancelled before', async () => {
      await using server = await FakeModelServer.start();
      await expect(ask(await make(server), [PROMPT], AbortSignal.abort())).rejects.toThrow();
      expect(server.seen).toEqual([]);
    });

    it('does not begin anew what was already shown', async () => {
      await using server = await FakeModelServer.start();
      server.will(wire.broken('Once upon'), wire.answer(DONE, true));
      await expect(ask(await make(server))).rejects.toMatchObject({
        code: expect.stringMatching(/^EXECUTION\.PROVIDER\.(CONNECTION|BAD_REPLY)$/),
        message: expect.stringContaining(wire.provider),
      });
      expect(server.seen).toHaveLength(1);
    });

    it('gives up a stream that falls silent', async () => {
      await using server = await FakeModelServer.start();
      server.will(wire.beginning('Once upon'));
      const asked = ask(await make(server, { idle_timeout: '500ms', max_retries: 0 }));
      await expect(asked).rejects.toMatchObject({ code: 'EXECUTION.PROVIDER.TIMEOUT' });
      await server.seen[0]?.closed;
    });
  });
}
