import { describe, expect, it } from '@jest/globals';
import type { Conversation } from '../../src/domain/conversation.js';
import type { JournalRecord } from '../../src/domain/journal.js';
import type { Message } from '../../src/domain/message.js';
import { MemoryJournal } from '../../src/infrastructure/journal/memory-run-journal.js';
import type { RunJournal } from '../../src/ports/run-journal.js';
import type { UserInput } from '../../src/ports/user-input.js';
import { agentOf, runStep, SteppingClock, type Turn, toolOf } from '../support/loop-fixture.js';

const AUTOMATIC: Conversation = { mode: 'automatic', nextPrompt: 'go on' };
const INTERACTIVE: Conversation = { mode: 'interactive' };
const OPEN = { secrets: [], durability: 'crash' } as const;

/** A person who says these lines, one a question, and then nothing more; `asked` counts the questions. */
function personOf(...lines: readonly string[]): UserInput & { asked: number } {
  return {
    asked: 0,
    async read() {
      this.asked += 1;
      return lines[this.asked - 1];
    },
  };
}

function said(messages: readonly Message[]): string[] {
  return messages.map((message) =>
    message.role === 'tool'
      ? `tool ${message.results.map(({ callId }) => callId).join(',')}`
      : `${message.role} ${message.content}`,
  );
}

describe('an automatic conversation', () => {
  it('tells the agent the prompt again until its condition holds', async () => {
    const agent = agentOf('first', 'second DONE', 'never');
    const conversation = { ...AUTOMATIC, stopCondition: "response contains 'DONE'" };
    const { state } = await runStep({ agent, conversation });
    expect(state).toMatchObject({
      stoppedBy: 'completed',
      output: 'second DONE',
      turns: 2,
      conversation: { turns: 2, stoppedBy: 'condition', totalTokens: 0, summaries: 0 },
    });
    expect(said(agent.requests[1]?.messages ?? [])).toEqual(['user go', 'assistant first', 'user go on']);
  });

  it('takes its turns, ten where the file names no number, and has then done what it was to do', async () => {
    const { state } = await runStep({ agent: agentOf('again'), conversation: AUTOMATIC });
    expect(state).toMatchObject({
      stoppedBy: 'completed',
      conversation: { turns: 10, stoppedBy: 'max_turns' },
    });
  });

  it('has met a limit when its turns are over and its condition never held', async () => {
    const conversation = { ...AUTOMATIC, maxTurns: 2, stopCondition: "response contains 'DONE'" };
    const { state } = await runStep({ agent: agentOf('again'), conversation });
    expect(state).toMatchObject({
      stoppedBy: 'max_turns',
      conversation: { turns: 2, stoppedBy: 'max_turns' },
    });
  });

  it('counts exchanges, not the turns that calls take', async () => {
    const agent = agentOf([['t', { n: 1 }]], 'one', [['t', { n: 2 }]], 'two');
    const conversation = { ...AUTOMATIC, stopCondition: 'turn_count >= 2' };
    const { state } = await runStep({ agent, tools: [toolOf('t')], conversation });
    expect(state).toMatchObject({ turns: 4, conversation: { turns: 2, stoppedBy: 'condition' } });
    expect(said(agent.requests[3]?.messages ?? [])).toEqual([
      'user go',
      'assistant ',
      'tool c1.1',
      'assistant one',
      'user go on',
      'assistant ',
      'tool c3.1',
    ]);
  });

  it('stops on a budget between two exchanges', async () => {
    const usage = { inputTokens: 30, outputTokens: 10 };
    const agent = agentOf(...Array.from({ length: 9 }, (): Turn => ({ text: 'more', usage })));
    const { state } = await runStep({ agent, conversation: AUTOMATIC, limits: { maxTokens: 100 } });
    expect(state).toMatchObject({
      stoppedBy: 'max_tokens',
      conversation: { turns: 3, totalTokens: 120, stoppedBy: 'max_tokens' },
    });
  });

  it('measures its context with the last request of a turn, and its budget with all of them', async () => {
    const usage = { inputTokens: 3_000, outputTokens: 40 };
    const message = { role: 'assistant', content: 'more', calls: [] } as const;
    const agent = { name: 'paused', complete: async () => ({ message, usage, contextTokens: 1_000 }) };
    const conversation = { ...AUTOMATIC, maxTurns: 2, maxContextTokens: 2_000 };
    const { state } = await runStep({ agent, conversation });
    expect(state).toMatchObject({ stoppedBy: 'completed', conversation: { turns: 2, totalTokens: 6_080 } });
    const limited = await runStep({ agent, conversation, limits: { maxTokens: 3_000 } });
    expect(limited.state).toMatchObject({ stoppedBy: 'max_tokens', turns: 1 });
  });

  it('is not taken for a loop when each prompt leads to the same call', async () => {
    const agent = agentOf(...Array.from({ length: 8 }, (): Turn[] => [[['t', {}]], 'looked']).flat());
    const conversation = { ...AUTOMATIC, maxTurns: 8 };
    const { state } = await runStep({ agent, tools: [toolOf('t')], conversation });
    expect(state).toMatchObject({ stoppedBy: 'completed', turns: 16, conversation: { turns: 8 } });
  });

  it('ends an agent that goes round in circles within one exchange, and counts its last answer', async () => {
    const loops = Array.from({ length: 5 }, (): Turn => [['t', {}]]);
    const agent = agentOf([['t', {}]], 'looked', ...loops, 'I give up');
    const { state } = await runStep({ agent, tools: [toolOf('t')], conversation: AUTOMATIC });
    expect(state).toMatchObject({
      stoppedBy: 'cycle',
      output: 'I give up',
      conversation: { turns: 2, stoppedBy: 'cycle' },
    });
  });

  it('ends on a reply that was cut off, which is no answer', async () => {
    const message = { role: 'assistant', content: 'half of', calls: [], cutOff: true } as const;
    const agent = { name: 'cut', complete: async () => ({ message }) };
    const { state } = await runStep({ agent, conversation: AUTOMATIC });
    expect(state).toMatchObject({
      stoppedBy: 'error',
      error: { code: 'EXECUTION.PROVIDER.CUT_OFF' },
      turns: 1,
    });
  });

  it('looks at tokens in its condition', async () => {
    const usage = { inputTokens: 30, outputTokens: 10 };
    const agent = agentOf(...Array.from({ length: 9 }, (): Turn => ({ text: 'more', usage })));
    const conversation = {
      ...AUTOMATIC,
      maxContextTokens: 100,
      stopCondition: 'tokens_used > max_context_tokens * 0.7',
    };
    const { state } = await runStep({ agent, conversation });
    expect(state.conversation).toMatchObject({ turns: 2, stoppedBy: 'condition' });
  });
});

describe('an interactive conversation', () => {
  it('passes on what a person says until there is nothing more', async () => {
    const agent = agentOf('hello', 'fine');
    const userInput = personOf('how are you?');
    const { state, events } = await runStep({ agent, conversation: INTERACTIVE, userInput });
    expect(state).toMatchObject({
      stoppedBy: 'completed',
      output: 'fine',
      conversation: { turns: 2, stoppedBy: 'user_exit' },
    });
    expect(said(agent.requests[1]?.messages ?? []).at(-1)).toBe('user how are you?');
    expect(events.filter(({ type }) => type.startsWith('input-'))).toEqual([
      { type: 'input-ask', step: 'work', turn: 1, reply: 'hello' },
      { type: 'input-answer', step: 'work', turn: 1, text: 'how are you?' },
      { type: 'input-ask', step: 'work', turn: 2, reply: 'fine' },
      { type: 'input-answer', step: 'work', turn: 2 },
    ]);
  });

  it('answers whoever asks for the same again and again', async () => {
    const questions = Array.from({ length: 7 }, () => 'and now?');
    const agent = agentOf(...Array.from({ length: 8 }, (): Turn[] => [[['t', {}]], 'the same']).flat());
    const userInput = personOf(...questions);
    const { state } = await runStep({ agent, tools: [toolOf('t')], conversation: INTERACTIVE, userInput });
    expect(state).toMatchObject({
      stoppedBy: 'completed',
      toolStats: { totalCalls: 8 },
      conversation: { turns: 8, stoppedBy: 'user_exit' },
    });
  });

  it.each(['', '  ', 'exit', 'QUIT', '/quit', ' /exit '])('takes %j for a good-bye', async (line) => {
    const agent = agentOf('hello', 'never');
    const { state } = await runStep({ agent, conversation: INTERACTIVE, userInput: personOf(line, 'x') });
    expect(state).toMatchObject({ turns: 1, conversation: { turns: 1, stoppedBy: 'user_exit' } });
  });

  it('asks nobody once its turns are over', async () => {
    const userInput = personOf('a', 'b', 'c');
    const conversation = { ...INTERACTIVE, maxTurns: 2 };
    const { state } = await runStep({ agent: agentOf('x'), conversation, userInput });
    expect(userInput.asked).toBe(1);
    expect(state).toMatchObject({ stoppedBy: 'max_turns', conversation: { turns: 2 } });
  });

  it('fails where there is nobody to ask, and where asking fails', async () => {
    const nobody = await runStep({ agent: agentOf('x'), conversation: INTERACTIVE });
    expect(nobody.state).toMatchObject({ stoppedBy: 'error', error: { code: 'EXECUTION.STEP.FAILED' } });
    const userInput = { read: () => Promise.reject(new Error('the line broke')) };
    const broken = await runStep({ agent: agentOf('x'), conversation: INTERACTIVE, userInput });
    expect(broken.state).toMatchObject({ stoppedBy: 'error', error: { message: 'the line broke' } });
  });

  it('can be cancelled, and timed out, while it waits for a person', async () => {
    const controller = new AbortController();
    const userInput = { read: () => new Promise<never>(() => controller.abort()) };
    const request = { agent: agentOf('x'), conversation: INTERACTIVE, userInput };
    const cancelled = await runStep(request, { signal: controller.signal });
    expect(cancelled.state).toMatchObject({
      stoppedBy: 'cancelled',
      conversation: { stoppedBy: 'cancelled' },
    });
    const clock = { now: () => Date.now(), elapsed: () => performance.now(), newRunId: () => 'run-1' };
    const slow = { ...request, userInput: { read: () => new Promise<never>(() => undefined) } };
    const late = await runStep({ ...slow, limits: { maxDurationMs: 30 } }, { clock });
    expect(late.state).toMatchObject({ stoppedBy: 'max_duration' });
  });
});

describe('a conversation computed again from its journal', () => {
  const long = 'x'.repeat(700);
  const conversation: Conversation = {
    mode: 'interactive',
    maxContextTokens: 900,
    strategy: 'summarize',
    stopCondition: "response contains 'DONE'",
  };

  /** Three exchanges with calls, the context full on the way; `effects` counts what really happened. */
  function scenario() {
    const effects: string[] = [];
    const turns: Turn[] = [
      [['t', { n: 1 }]],
      `one ${long}`,
      [['t', { n: 2 }]],
      `two ${long}`,
      [['t', { n: 3 }]],
      'three DONE',
    ];
    const agent = {
      name: 'listed',
      complete: async (request: Parameters<ReturnType<typeof agentOf>['complete']>[0]) => {
        const isSummary =
          request.messages.length === 1 &&
          request.messages[0]?.role === 'user' &&
          request.messages[0].content.startsWith('Sum up');
        effects.push(isSummary ? 'summary' : `turn ${request.asked}`);
        if (isSummary)
          return {
            message: { role: 'assistant' as const, content: 'in short', calls: [] },
            usage: { inputTokens: 5, outputTokens: 5 },
          };
        const done = effectsBefore(request.asked ?? 0);
        return replyOf(turns[done] ?? 'lost', done);
      },
    };
    const userInput: UserInput = {
      read: async (_request, _context) => {
        effects.push('listen');
        return `say ${long}`;
      },
    };
    const tools = [
      toolOf(
        't',
        ({ n }) => {
          effects.push(`call ${n}`);
          return `result ${n}`;
        },
        { idempotent: true },
      ),
    ];
    return { request: { agent, tools, userInput, conversation }, effects };
  }

  /** The one summary of the scenario comes before the fifth turn. */
  function effectsBefore(asked: number): number {
    return asked > SUMMARY_AT ? asked - 1 : asked;
  }

  const SUMMARY_AT = 4;

  async function runFrom(records: readonly JournalRecord[]) {
    const journal: RunJournal = new MemoryJournal(
      new SteppingClock(),
      records.length > 0 ? [['run', records]] : [],
    );
    const session = await journal.open('run', records.length > 0 ? 'continue' : 'create', OPEN);
    const { request, effects } = scenario();
    const { state } = await runStep(request, { session });
    return { state, effects, records: await journal.read('run') };
  }

  it('goes on from every record to the same end, and repeats nothing that is recorded', async () => {
    const whole = await runFrom([]);
    expect(whole.state).toMatchObject({
      stoppedBy: 'completed',
      output: 'three DONE',
      conversation: { turns: 3, summaries: 1, stoppedBy: 'condition', totalTokens: 10 },
    });
    expect(whole.effects).toContain('summary');
    for (let length = 1; length <= whole.records.length; length += 1) {
      const left = whole.records.slice(0, length);
      const resumed = await runFrom(left);
      const done = left.filter(({ type }) => type === 'outcome').length - 1;
      expect(resumed.state).toEqual(whole.state);
      expect(resumed.effects).toEqual(whole.effects.slice(Math.max(0, done)));
    }
  });
});

function replyOf(turn: Turn, index: number) {
  const text = typeof turn === 'string' ? turn : '';
  const calls = Array.isArray(turn) ? turn : [];
  return {
    message: {
      role: 'assistant' as const,
      content: text,
      calls: calls.map(([name, args], place) => ({
        id: `c${index + 1}.${place + 1}`,
        name,
        arguments: args,
      })),
    },
  };
}
