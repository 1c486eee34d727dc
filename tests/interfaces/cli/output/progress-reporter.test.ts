import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createPieceRedactor } from '../../../../src/domain/redact-pieces.js';
import { createRedactor, createValueRedactor } from '../../../../src/domain/redaction.js';
import { ProgressReporter } from '../../../../src/interfaces/cli/output/progress-reporter.js';
import { captureIo } from '../fixture.js';

const CLEAR = '\r\x1b[K';
const data = createValueRedactor([]);
const redactors = { people: createRedactor([]), data, pieces: createPieceRedactor([], data.text) };
const TURN = { type: 'turn-start', step: 's', turn: 1, offerTools: true } as const;

function reporterOn(isWatched: boolean, env: Record<string, string> = { NO_COLOR: '1' }) {
  const { io, text } = captureIo({ isWatched, env });
  return { reporter: new ProgressReporter(io, redactors), err: () => text().err };
}

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('ProgressReporter', () => {
  it('moves while the agent is waited for, and makes room for a line', () => {
    const { reporter, err } = reporterOn(true);
    reporter.event(TURN);
    jest.advanceTimersByTime(100);
    expect(err()).toBe(`${CLEAR}⠙ waiting for the agent (turn 1)`);
    reporter.event({ type: 'turn-end', step: 's', turn: 1, text: '', calls: 0 });
    expect(err().endsWith(`(turn 1)${CLEAR}  turn 1: 0 calls\n`)).toBe(true);
  });

  it('stands still while a question is on the terminal, and after the end', () => {
    const { reporter, err } = reporterOn(true);
    reporter.event(TURN);
    jest.advanceTimersByTime(100);
    reporter.pause();
    const before = err();
    expect(before.endsWith(CLEAR)).toBe(true);
    jest.advanceTimersByTime(1000);
    reporter.close();
    expect(err()).toBe(before);
  });

  it.each([
    ['where nobody watches', reporterOn(false)],
    ['on a dumb terminal', reporterOn(true, { TERM: 'dumb' })],
  ])('does not move %s', (_, { reporter, err }) => {
    reporter.event(TURN);
    jest.advanceTimersByTime(1000);
    expect(err()).toBe('');
    reporter.close();
  });
});
