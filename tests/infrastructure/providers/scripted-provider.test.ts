import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../src/domain/json.js';
import type { InjectedResult, Message } from '../../../src/domain/message.js';
import type { Script, ScriptedReply } from '../../../src/infrastructure/providers/script.js';
import { ScriptedProvider } from '../../../src/infrastructure/providers/scripted-provider.js';

const PROMPT: Message = { role: 'user', content: 'mend the project' };
const LIVE = { signal: new AbortController().signal };
const UNEXPECTED = { code: 'EXECUTION.PROVIDER.UNEXPECTED_TURN' };

function reply(more: Partial<ScriptedReply> = {}): ScriptedReply {
  return { text: '', calls: [], delayMs: 0, ...more };
}

function scriptOf(...replies: readonly ScriptedReply[]): Script {
  return { file: 'demo.yaml', toolProtocol: 'native', replies, steps: new Map() };
}

function assistant(...calls: readonly string[]): Message {
  return { role: 'assistant', content: '', calls: calls.map((id) => ({ id, name: 'x', arguments: {} })) };
}

function results(...outputs: readonly (string | Partial<InjectedResult>)[]): Message {
  return {
    role: 'tool',
    results: outputs.map((output, index) => ({
      callId: `call_00${index + 1}`,
      tool: 'x',
      output: '',
      isError: false,
      ...(typeof output === 'string' ? { output } : output),
    })),
  };
}

function ask(script: Script, messages: readonly Message[], options: JsonObject = {}) {
  return new ScriptedProvider(script).complete({ messages, tools: [], options }, LIVE);
}

describe('ScriptedProvider', () => {
  it('gives text, calls and usage', async () => {
    const usage = { inputTokens: 3, outputTokens: 4, costUsd: 0.1 };
    const calls = [
      { name: 'read_file', arguments: { path: 'a' } },
      { id: 'mine', name: 'shell', arguments: 'not an object' },
    ];
    expect(await ask(scriptOf(reply({ text: 'hm', calls, usage })), [PROMPT])).toEqual({
      message: {
        role: 'assistant',
        content: 'hm',
        calls: [
          { id: 'call_001', name: 'read_file', arguments: { path: 'a' } },
          { id: 'mine', name: 'shell', arguments: 'not an object' },
        ],
      },
      usage,
    });
  });

  it('goes by the place in the transcript, so that a resumed run goes on with the right reply', async () => {
    const script = scriptOf(
      reply({ text: 'one' }),
      reply({ text: 'two', calls: [{ name: 'x', arguments: {} }] }),
    );
    const messages = [PROMPT, assistant('call_001', 'call_002'), results('a', 'b')];
    const first = await ask(script, messages);
    expect(first.message).toMatchObject({ content: 'two', calls: [{ id: 'call_003' }] });
    expect(await ask(script, messages)).toEqual(first);
  });

  it('goes on after the replies that earlier steps have used up', async () => {
    const script = scriptOf(reply({ text: 'one' }), reply({ text: 'two' }));
    expect((await ask(script, [PROMPT], { script_offset: 1 })).message.content).toBe('two');
    const made = new ScriptedProvider(script, { script_offset: 1 });
    const request = { messages: [PROMPT], tools: [], options: {} };
    expect((await made.complete(request, LIVE)).message.content).toBe('two');
  });

  it('has replies of a step apart from the others', async () => {
    const script = {
      ...scriptOf(reply({ text: 'shared' })),
      steps: new Map([['fix', [reply({ text: 'own' })]]]),
    };
    expect((await ask(script, [PROMPT], { step: 'fix', script_offset: 7 })).message.content).toBe('own');
    expect((await ask(script, [PROMPT], { step: 'other' })).message.content).toBe('shared');
    await expect(ask(script, [PROMPT, assistant()], { step: 'fix' })).rejects.toThrow('steps.fix.replies[1]');
  });

  it('fails when it is asked more often than the script foresees', async () => {
    const asked = ask(scriptOf(reply()), [PROMPT, assistant('a'), results('x'.repeat(2_000))]);
    await expect(asked).rejects.toMatchObject(UNEXPECTED);
    await expect(asked).rejects.toThrow(
      /^demo\.yaml, replies\[1\]: there is no such reply; asked: "x{500}…"$/,
    );
  });

  it.each<[string, Message]>([
    ['the prompt', PROMPT],
    ['all results together', results('mend', 'the project')],
  ])('finds what must be in the last message: %s', async (_name, last) => {
    const script = scriptOf(reply({ text: 'ok', expect: { contains: ['mend', 'project'] } }));
    expect((await ask(script, [last])).message.content).toBe('ok');
  });

  it('fails when the last message is not what the script expects, and says both', async () => {
    const script = scriptOf(reply(), reply({ expect: { contains: ['pass', 'green'] } }));
    const asked = ask(script, [PROMPT, assistant('a'), results('2 failed, green')]);
    await expect(asked).rejects.toMatchObject(UNEXPECTED);
    await expect(asked).rejects.toThrow(
      'demo.yaml, replies[1]: expected the last message to contain "pass"; it is: "2 failed, green"',
    );
  });

  it.each<[string, Message, string]>([
    ['their number', results('a'), 'expected 2 tool results, got 1'],
    ['no results at all', PROMPT, 'expected 2 tool results, got 0'],
    ['the tool', results({ tool: 'y' }, 'b'), 'expected a result of "x"; result 1 is a success of "y": ""'],
    ['an error', results({ isError: true }, 'b'), 'expected a success; result 1 is an error of "x": ""'],
    [
      'the output',
      results('a', 'c'),
      'expected a result that contains "b"; result 2 is a success of "x": "c"',
    ],
  ])('checks results one by one: %s', async (_name, last, problem) => {
    const toolResults = [{ tool: 'x', contains: [], isError: false }, { contains: ['b'] }];
    const script = scriptOf(reply({ text: 'ok', expect: { contains: [], toolResults } }));
    await expect(ask(script, [last])).rejects.toThrow(problem);
    expect((await ask(script, [results('', 'b')])).message.content).toBe('ok');
  });

  it('fails as the script says', async () => {
    const asked = ask(scriptOf(reply({ error: 'overloaded' })), [PROMPT]);
    await expect(asked).rejects.toMatchObject({ code: 'EXECUTION.PROVIDER.FAILED', message: 'overloaded' });
  });

  it('stops waiting when the run is stopped', async () => {
    const stop = new AbortController();
    const provider = new ScriptedProvider(scriptOf(reply({ text: 'late', delayMs: 60_000 })));
    const asked = provider.complete({ messages: [PROMPT], tools: [], options: {} }, stop);
    stop.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('shows its text to whoever watches, and says how calls are written', async () => {
    const provider = new ScriptedProvider({ ...scriptOf(reply({ text: 'hello' })), toolProtocol: 'text' });
    const seen: string[] = [];
    const context = { ...LIVE, onText: (text: string) => void seen.push(text) };
    await provider.complete({ messages: [PROMPT], tools: [], options: {} }, context);
    expect(seen).toEqual(['hello']);
    expect(provider.toolProtocol).toBe('text');
  });

  it('counts the replies that are left', () => {
    const provider = new ScriptedProvider({
      ...scriptOf(reply(), reply()),
      steps: new Map([['fix', [reply()]]]),
    });
    expect([provider.unused(0), provider.unused(2), provider.unused(9)]).toEqual([2, 0, 0]);
    expect([provider.unused(0, 'fix'), provider.unused(1, 'other')]).toEqual([1, 1]);
  });
});
