import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ContextWindow, type WindowOptions } from '../../src/application/context-window.js';
import { estimateTokens, textTokens } from '../../src/application/estimate-tokens.js';
import type { ContextStrategy } from '../../src/domain/conversation.js';
import type { Message } from '../../src/domain/message.js';

const words = (count: number): string => 'word '.repeat(count);
const user = (content: string): Message => ({ role: 'user', content });
const reply = (content: string, ...ids: readonly string[]): Message => ({
  role: 'assistant',
  content,
  calls: ids.map((id) => ({ id, name: 't', arguments: {} })),
});
const results = (...ids: readonly string[]): Message => ({
  role: 'tool',
  results: ids.map((callId) => ({ callId, tool: 't', output: words(5), isError: false })),
});

/** Lets a window do what the loop lets it do before it asks. */
function fitted(messages: readonly Message[], options: WindowOptions, summary = 'in short'): ContextWindow {
  const window = new ContextWindow(messages, options);
  const found = window.check();
  if (typeof found !== 'string') window.apply(found, options.strategy === 'summarize' ? summary : undefined);
  return window;
}

function texts(window: ContextWindow): string[] {
  return beginnings(window.messages);
}

function beginnings(messages: readonly Message[]): string[] {
  return messages.map((message) =>
    message.role === 'tool' ? 'results' : (message.content.split(' ')[0] ?? ''),
  );
}

/** How each message begins that is in the window, before those of the user are joined. */
function parts(window: ContextWindow): string[] {
  return beginnings(window.history);
}

/** Four exchanges of about fifty tokens each below a system prompt. */
const HISTORY: readonly Message[] = [
  { role: 'system', content: 'you are' },
  user(`u1 ${words(20)}`),
  reply(`a1 ${words(20)}`),
  user(`u2 ${words(20)}`),
  reply(`a2 ${words(20)}`),
  user(`u3 ${words(20)}`),
  reply(`c3 ${words(5)}`, 'x'),
  results('x'),
  reply(`a3 ${words(20)}`),
  user(`u4 ${words(20)}`),
];

describe('ContextWindow', () => {
  it('leaves a history alone that fits, and weighs nothing without a limit', () => {
    expect(fitted(HISTORY, { maxTokens: 1_000, strategy: 'sliding_window' }).messages).toEqual(HISTORY);
    const free = new ContextWindow(HISTORY);
    expect([free.check(), free.tokens]).toEqual(['fits', 0]);
  });

  it('drops the oldest exchanges, and keeps the system prompt and the first message', () => {
    const window = fitted(HISTORY, { maxTokens: 270, strategy: 'sliding_window' });
    expect(parts(window)).toEqual(['you', 'u1', 'u3', 'c3', 'results', 'a3', 'u4']);
  });

  it('cuts in the middle, and says where', () => {
    const window = fitted(HISTORY, { maxTokens: 290, strategy: 'truncate_middle' });
    expect(parts(window)).toEqual(['you', 'u1', 'a1', '[6', 'u4']);
    expect(window.messages[3]).toEqual(user(`[6 messages were left out here]\n\nu4 ${words(20)}`));
  });

  it('keeps the first exchange when it cuts in the middle, also one that is most of what fits', () => {
    const [system, first, ...rest] = HISTORY;
    const long = [system, first, reply(`a1 ${words(80)}`), ...rest.slice(1)].flatMap((one) => one ?? []);
    const window = fitted(long, { maxTokens: 340, strategy: 'truncate_middle' });
    expect(parts(window)).toEqual(['you', 'u1', 'a1', '[6', 'u4']);
    const none = fitted(long, { maxTokens: 200, strategy: 'truncate_middle' });
    expect(parts(none)).toEqual(['you', 'u1', '[7', 'u4']);
  });

  it.each(['sliding_window', 'truncate_middle', 'summarize'] as const)(
    'sends no two messages of the user in a row (%s), and can still cut between them',
    (strategy) => {
      const window = fitted(HISTORY, { maxTokens: 280, strategy });
      for (let turn = 5; turn < 12; turn += 1) {
        expect(usersInARow(window.messages)).toBe(0);
        window.push(reply(`a${turn - 1} ${words(20)}`));
        window.push(user(`u${turn} ${words(20)}`));
        const found = window.check();
        const summary = strategy === 'summarize' ? 'in short' : undefined;
        if (typeof found !== 'string') window.apply(found, summary);
        const all = window.messages.map((message) => ('content' in message ? message.content : '')).join(' ');
        expect([all.match(/u1 /g), all.match(/(?:left out|earlier messages)/g)?.length ?? 0]).toEqual([
          ['u1 '],
          strategy === 'sliding_window' ? 0 : 1,
        ]);
      }
    },
  );

  it('joins what two steps have told an agent that has not answered, and leaves what was sent as it was', () => {
    const window = new ContextWindow([user('one'), user('two')]);
    const sent = window.messages;
    expect(sent).toEqual([user('one\n\ntwo')]);
    window.push(user('three'));
    expect([sent, window.messages]).toEqual([[user('one\n\ntwo')], [user('one\n\ntwo\n\nthree')]]);
  });

  it('estimates without a limit only what it is asked for, and every message once', () => {
    const window = new ContextWindow(HISTORY);
    const sum = HISTORY.reduce((total, message) => total + estimateTokens(message), 0);
    expect([window.tokens, window.estimate(), window.estimate()]).toEqual([0, sum, sum]);
    window.push(reply('a4'));
    expect(window.estimate()).toBe(sum + estimateTokens(reply('a4')));
  });

  it('puts a summary in the place of what it leaves out, and sums it up again the next time', () => {
    const options = { maxTokens: 280, strategy: 'summarize' } as const;
    const window = fitted(HISTORY, options);
    expect(parts(window)).toEqual(['you', 'u1', '[Summary', 'u4']);
    expect(texts(window)).toEqual(['you', 'u1']);
    for (const message of [reply(`a4 ${words(60)}`), user(`u5 ${words(60)}`)]) window.push(message);
    const again = window.check();
    if (typeof again === 'string') throw new Error(again);
    expect(window.toSummarize(again).map((message) => 'content' in message && message.content)).toEqual([
      '[Summary of 7 earlier messages]\nin short',
      `u4 ${words(20)}`,
      `a4 ${words(60)}`,
    ]);
    window.apply(again, 'shorter still');
    expect(parts(window)).toEqual(['you', 'u1', '[Summary', 'u5']);
    expect(window.history[2]).toEqual(user('[Summary of 9 earlier messages]\nshorter still'));
  });

  it('keeps an old summary where a new one cannot be had', () => {
    const window = fitted(HISTORY, { maxTokens: 280, strategy: 'summarize' });
    for (const message of [reply(`a4 ${words(60)}`), user(`u5 ${words(60)}`)]) window.push(message);
    const again = window.check();
    if (typeof again === 'string') throw new Error(again);
    window.apply(again);
    expect(window.history[2]).toEqual(user('[Summary of 7 earlier messages]\nin short'));
  });

  it('drops the oldest calls of one long exchange, with their results', () => {
    const work = Array.from({ length: 10 }, (_, n) => [reply(`c${n}`, `id${n}`), results(`id${n}`)]).flat();
    const window = fitted([user('u1'), ...work], { maxTokens: 180, strategy: 'sliding_window' });
    expect(texts(window).slice(0, 2)).toEqual(['u1', 'c6']);
    expect(texts(window).at(-1)).toBe('results');
  });

  it('is full without a strategy, and when what must stay is too long', () => {
    expect(new ContextWindow(HISTORY, { maxTokens: 200 }).check()).toBe('full');
    const huge = [user(words(500))];
    for (const strategy of STRATEGIES) {
      expect(new ContextWindow(huge, { maxTokens: 200, strategy }).check()).toBe('full');
    }
  });

  it('believes what the provider counted', () => {
    const window = new ContextWindow(HISTORY.slice(0, 4), { maxTokens: 400, strategy: 'sliding_window' });
    expect(window.check()).toBe('fits');
    window.measure(395);
    expect(window.tokens).toBe(395);
    expect(window.check()).not.toBe('fits');
    window.measure(1);
    // A provider that leaves out what it had cached is not believed for less than half.
    expect(window.tokens).toBeGreaterThan(40);
  });

  it('never parts a call from its result and never sends more than the limit', () => {
    fc.assert(
      fc.property(
        fc.array(exchange(), { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 60, max: 1_500 }),
        fc.constantFrom(...STRATEGIES),
        fc.integer({ min: -60, max: 200 }),
        (exchanges, maxTokens, strategy, wrong) => {
          expect(problemsOf(exchanges.flat(), { maxTokens, strategy }, wrong)).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

const STRATEGIES: readonly ContextStrategy[] = ['sliding_window', 'truncate_middle', 'summarize'];

let ids = 0;

function exchange(): fc.Arbitrary<Message[]> {
  const size = fc.integer({ min: 1, max: 60 });
  const call = fc.tuple(size, fc.integer({ min: 1, max: 3 })).map(([count, calls]) => {
    const own = Array.from({ length: calls }, () => `id${ids++}`);
    return [reply(words(count), ...own), results(...own)];
  });
  return fc
    .tuple(size, fc.array(call, { maxLength: 6 }), size)
    .map(([asked, work, answered]) => [user(words(asked)), ...work.flat(), reply(words(answered))]);
}

/** Takes a history through a window as the loop does; what is wrong with any request on the way. */
function problemsOf(history: readonly Message[], options: WindowOptions, wrong: number): string[] {
  const window = new ContextWindow([{ role: 'system', content: 'be kind' }], options);
  const problems: string[] = [];
  for (const message of history) {
    window.push(message);
    // The agent is asked after what a user or a tool said; it is counted when it has answered.
    if (message.role === 'assistant') {
      window.measure(window.tokens + wrong);
      continue;
    }
    const found = window.check();
    if (found === 'full') return problems;
    if (found !== 'fits') window.apply(found, words(400));
    if (window.tokens > (options.maxTokens ?? 0)) problems.push(`${window.tokens} tokens`);
    if (usersInARow(window.messages) > 0) problems.push('two messages of the user in a row');
    problems.push(...brokenBy(window.history, { first: history[0], newest: message }));
  }
  return problems;
}

function usersInARow(messages: readonly Message[]): number {
  return messages.filter(({ role }, at) => role === 'user' && messages[at - 1]?.role === 'user').length;
}

function brokenBy(
  messages: readonly Message[],
  { first, newest }: { readonly first: Message | undefined; readonly newest: Message },
): string[] {
  const stays = messages[0]?.role === 'system' && messages[1] === first && messages.at(-1) === newest;
  const parted = messages.flatMap((_, at) => partedAt(messages, at));
  return stays ? parted : [...parted, 'something that must stay is gone'];
}

function partedAt(messages: readonly Message[], at: number): string[] {
  const [message, before, after] = [messages[at], messages[at - 1], messages[at + 1]];
  if (message?.role === 'tool') return before?.role === 'assistant' ? [] : ['a result without its call'];
  if (message?.role !== 'assistant') return [];
  const answered = after?.role === 'tool' ? after.results.map(({ callId }) => callId) : [];
  return answered.join() === message.calls.map(({ id }) => id).join() ? [] : ['a call without its result'];
}

describe('estimateTokens', () => {
  it('is about a token for four letters of English, and one for a letter of most other scripts', () => {
    expect(textTokens('The quick brown fox jumps over the lazy dog.')).toBe(13);
    expect(textTokens('こんにちは世界')).toBe(7);
    expect(estimateTokens(reply('', 'a'))).toBeGreaterThan(10);
  });
});
