import { describe, expect, it } from '@jest/globals';
import type { ApprovalDecision } from '../../../src/domain/approval.js';
import { TerminalApprovalGate } from '../../../src/infrastructure/approval/terminal-approval-gate.js';
import { describeApprovalGateContract } from '../../contracts/approval-gate.contract.js';
import { contextWith, FakeTerminal, requestFor } from '../../support/fake-terminal.js';

describeApprovalGateContract('TerminalApprovalGate', () => {
  const terminal = new FakeTerminal();
  return {
    gate: terminal.gate(),
    answer: async (count) => {
      await terminal.asked(count);
      terminal.type('y');
    },
  };
});

const YES: ApprovalDecision = { kind: 'approved', planHash: 'hash-1', scope: 'once', source: 'user' };
const NO: ApprovalDecision = { kind: 'denied', reason: 'the person at the terminal said no' };
const ABORT: ApprovalDecision = { kind: 'abort', reason: 'the person at the terminal stopped the run' };
const INTERRUPTED: ApprovalDecision = {
  kind: 'abort',
  reason: 'interrupted at the terminal',
  interrupted: true,
};

/** Puts one question and types these, one after the other. */
async function answerWith(keys: readonly string[], terminal = new FakeTerminal()): Promise<ApprovalDecision> {
  const decision = terminal.gate().review(requestFor(), contextWith());
  await terminal.asked();
  const [first = '', ...more] = keys;
  terminal.type(first);
  // What comes close behind a key would be taken for pasted with it.
  if (more.length > 0) await terminal.shows(() => terminal.screen.endsWith('  > '));
  for (const key of more) terminal.type(key);
  return decision;
}

describe('TerminalApprovalGate', () => {
  it.each(['y', 'Y', '1', 'y\r', 'y\n', 'y\r\n'])('takes %j for yes', async (key) => {
    expect(await answerWith([key])).toEqual(YES);
  });

  it.each(['a', '4'])('takes %j for stop', async (key) => {
    expect(await answerWith([key])).toEqual(ABORT);
  });

  it('takes Ctrl-C for an interruption, not for an answer', async () => {
    expect(await answerWith(['\x03'])).toEqual(INTERRUPTED);
  });

  it.each([
    'n',
    '2',
    '\r',
    '\n',
    ' ',
    '\x1b',
    '\x04',
    'x',
    '9',
    '0',
    '\x1b[A',
    'yes',
    'no',
    'yy',
    ' y',
    'ny',
    '\x1b[200~y\x1b[201~',
    'constructor',
    '__proto__',
  ])('takes %j for no', async (key) => {
    expect(await answerWith([key])).toEqual(NO);
  });

  it('passes the reason on that was typed', async () => {
    const terminal = new FakeTerminal();
    const keys = ['r', 'not', ' te', '\x7f', '\x1b[A', 'o', '\x1b[31mday', '\x00', '\r'];
    const decision = await answerWith(keys, terminal);
    expect(decision).toEqual({ kind: 'denied', reason: 'not today' });
    expect(terminal.screen).toContain('  > not today\r');
  });

  it.each<[string, readonly string[], ApprovalDecision]>([
    ['no reason is typed', ['r', ' ', '\r'], NO],
    ['Escape is pressed', ['r', 'abc', '\x1b'], NO],
    ['Ctrl-D is pressed', ['r', 'abc', '\x04'], NO],
    ['Ctrl-C is pressed', ['r', 'abc', '\x03'], INTERRUPTED],
  ])('still says no when %s', async (_case, keys, expected) => {
    expect(await answerWith(keys)).toEqual(expected);
  });

  it('says no at the end of input, and that nobody is there', async () => {
    const terminal = new FakeTerminal();
    const decision = terminal.gate().review(requestFor(), contextWith());
    await terminal.asked();
    terminal.input.end();
    expect(await decision).toEqual({
      kind: 'denied',
      unavailable: true,
      reason: 'nobody could be asked: the terminal was closed',
    });
    expect(await terminal.gate().review(requestFor(), contextWith())).toMatchObject({ unavailable: true });
  });

  it('says no when the keyboard or the screen breaks', async () => {
    const keyboard = new FakeTerminal();
    const first = keyboard.gate().review(requestFor(), contextWith());
    await keyboard.asked();
    keyboard.input.destroy(new Error('EIO'));
    expect(await first).toMatchObject({ kind: 'denied', unavailable: true });
    const screen = new FakeTerminal();
    const second = screen.gate().review(requestFor(), contextWith());
    await screen.asked();
    screen.output.destroy(new Error('EPIPE'));
    expect(await second).toMatchObject({ kind: 'denied', unavailable: true });
  });

  it('leaves nothing behind on a terminal that refuses the mode it needs', async () => {
    const terminal = new FakeTerminal();
    const setRawMode = () => {
      throw new Error('EIO');
    };
    Object.assign(terminal.input, { setRawMode });
    expect(await terminal.gate().review(requestFor(), contextWith())).toMatchObject({ unavailable: true });
    expect(terminal.input.listenerCount('data')).toBe(0);
    expect(terminal.input.isPaused()).toBe(true);
  });

  it('says at once that nobody can be asked where there is no terminal, and no word of how to do without', async () => {
    const terminal = new FakeTerminal();
    terminal.input.isTTY = false;
    const decision = await terminal.gate().review(requestFor(), contextWith());
    const reason = 'nobody could be asked: there is no terminal';
    expect(decision).toEqual({ kind: 'denied', unavailable: true, reason });
    expect(terminal).toMatchObject({ screen: '', rawModes: [] });
    const silent = new TerminalApprovalGate({ ...new FakeTerminal(), isInteractive: false });
    expect(await silent.review(requestFor(), contextWith())).toMatchObject({ unavailable: true });
  });

  it.each([['y'], ['n'], ['\x03'], ['r', 'x', '\r']])(
    'leaves the terminal as it was after %j',
    async (...keys) => {
      const terminal = new FakeTerminal();
      await answerWith(keys, terminal);
      expect(terminal.rawModes).toEqual([true, false]);
      expect(terminal.input.isPaused()).toBe(true);
      expect(terminal.input.listenerCount('data')).toBe(0);
      expect(terminal.output.listenerCount('error')).toBe(0);
    },
  );

  it('throws away what was typed before the question was there', async () => {
    const terminal = new FakeTerminal();
    terminal.type('y');
    const decision = terminal.gate().review(requestFor(), contextWith());
    terminal.type('y');
    await terminal.asked();
    terminal.type('n');
    expect(await decision).toEqual(NO);
  });

  it('says no to a keyboard that never falls silent', async () => {
    const terminal = new FakeTerminal();
    const typing = setInterval(() => terminal.type('y'), 5);
    const decision = await terminal.gate().review(requestFor(), contextWith());
    clearInterval(typing);
    expect(decision).toMatchObject({ kind: 'denied', unavailable: true });
    expect(terminal.screen).not.toContain('1 y');
  });

  it('gives the terminal back when the run is stopped in the middle of a question', async () => {
    const terminal = new FakeTerminal();
    const stop = new AbortController();
    const decision = terminal.gate().review(requestFor(), contextWith(stop.signal));
    await terminal.asked();
    stop.abort();
    expect(await decision).toMatchObject({ kind: 'denied' });
    await new Promise(setImmediate);
    expect(terminal.rawModes).toEqual([true, false]);
  });

  it('asks about one call after the other', async () => {
    const terminal = new FakeTerminal();
    const gate = terminal.gate();
    const first = gate.review(requestFor({ planHash: 'first' }), contextWith());
    const second = gate.review(requestFor({ planHash: 'second' }), contextWith());
    await terminal.asked(1);
    expect(terminal.screen.match(/May the agent use/g)).toHaveLength(1);
    terminal.type('y');
    expect(await first).toMatchObject({ kind: 'approved', planHash: 'first' });
    await terminal.asked(2);
    terminal.type('n');
    expect(await second).toEqual(NO);
  });

  it('asks whether to run a call in doubt again, and takes nothing but yes for it', async () => {
    const reason = { kind: 'in-doubt', text: 'the process died' } as const;
    const terminal = new FakeTerminal();
    const gate = terminal.gate();
    const no = gate.review(requestFor({ reason }), contextWith());
    await terminal.asked(1);
    expect(terminal.screen).toContain('Run it again?');
    expect(terminal.screen).toContain('yes, run it again');
    terminal.type('\r');
    expect(await no).toEqual(NO);
    const yes = gate.review(requestFor({ reason }), contextWith());
    await terminal.asked(2);
    terminal.type('y');
    expect(await yes).toEqual(YES);
  });
});
