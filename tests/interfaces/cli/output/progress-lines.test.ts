import { describe, expect, it } from '@jest/globals';
import { StepProgress } from '../../../../src/application/progress.js';
import type { RunEvent } from '../../../../src/application/run-request.js';
import { NOTHING_ENFORCED } from '../../../../src/domain/enforcement.js';
import { createRedactor } from '../../../../src/domain/redaction.js';
import { failedResult } from '../../../../src/domain/tool-result.js';
import { createPaint } from '../../../../src/interfaces/cli/output/paint.js';
import { progressLines } from '../../../../src/interfaces/cli/output/progress-lines.js';

const redactor = createRedactor([{ name: 'inputs.token', value: 'hunter2-hunter2' }]);
const paint = createPaint({ isWatched: false, env: {} });
const lines = (event: RunEvent) => progressLines(event, { paint, redactor });
const call = { step: 's', callId: 'c1', tool: 'read_file' };
const done = { success: true, durationMs: 15.4, approval: 'auto' as const, enforcement: NOTHING_ENFORCED };

describe('progressLines', () => {
  it('sums a call up in one line', () => {
    expect(
      lines({ type: 'call-start', ...call, arguments: { path: 'a.ts', content: 'x'.repeat(500), limit: 3 } }),
    ).toEqual(['  → read_file path="a.ts" content=(500 characters) limit=3']);
  });

  it('shows the first line of a result and how much more there is', () => {
    expect(lines({ type: 'call-end', ...call, result: { ...done, output: 'one\ntwo\nthree\n' } })).toEqual([
      '  ✓ read_file (15 ms): one … +2 lines',
    ]);
  });

  it('shows why a call was denied', () => {
    const result = failedResult({ code: 'EXECUTION.APPROVAL.DENIED', message: 'Denied: not today' });
    expect(lines({ type: 'call-end', ...call, result })).toEqual([
      '  ✗ read_file denied: not today [EXECUTION.APPROVAL.DENIED]',
    ]);
  });

  it('lets nothing of a model or a tool act on the terminal', () => {
    const events: readonly RunEvent[] = [
      { type: 'turn-end', step: 's', turn: 1, text: 'a\x1b[2J\u202eb', calls: 0 },
      { type: 'call-start', ...call, arguments: { 'k\x07': '\x9b31m' } },
      { type: 'call-end', ...call, result: { ...done, output: '\rfake\x1b]0;t\x07' } },
      { type: 'call-log', step: 's', callId: 'c1', message: 'x\x1b[A' },
    ];
    const text = events.flatMap(lines).join('\n');
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(text).toContain('\\u{1b}[2J');
  });

  it('keeps a line that the model wrote from passing for one of ours', () => {
    const forged = '  ✓ write_file (1 ms): approved';
    expect(lines({ type: 'turn-end', step: 's', turn: 1, text: `hi\n${forged}`, calls: 0 })).toEqual([
      '  turn 1: 0 calls',
      '  │ hi',
      `  │ ${forged}`,
    ]);
  });

  it('shows all lines of what a step failed with, as words of others', () => {
    const state = new StepProgress('s', 0, { keptTraces: 0 }).finish('error', {
      code: 'EXECUTION.PROVIDER.FAILED',
      message: 'The recording differs:\n- one\n+ two hunter2-hunter2\x1b[2J',
    });
    expect(lines({ type: 'step-end', step: 's', state }).slice(1)).toEqual([
      '  The recording differs: [EXECUTION.PROVIDER.FAILED]',
      '  │ - one',
      '  │ + two [redacted]\\u{1b}[2J',
    ]);
  });

  it('tells people how to answer what nobody could be asked', () => {
    const progress = new StepProgress('s', 0, { keptTraces: 0 });
    const advice = expect.stringContaining('--approve TOOL or --yes');
    expect(lines({ type: 'step-end', step: 's', state: progress.finish('completed') })).not.toContainEqual(
      advice,
    );
    const unanswered = progress.finish('approval_unavailable');
    expect(lines({ type: 'step-end', step: 's', state: unanswered })).toContainEqual(advice);
  });

  it('hides secrets before it cuts a text', () => {
    const padded = `${'a'.repeat(112)} hunter2-hunter2`;
    const shown = lines({ type: 'call-end', ...call, result: { ...done, output: padded } }).join('');
    expect(shown).not.toContain('hunter2');
    const args = lines({ type: 'call-start', ...call, arguments: { token: 'abc', url: 'hunter2-hunter2' } });
    expect(args).toEqual(['  → read_file token="[redacted]" url="[redacted]"']);
  });

  it('says what comes from the record', () => {
    expect(lines({ type: 'call-start', ...call, arguments: {}, replayed: true })).toEqual([
      '  → read_file (from the record)',
    ]);
  });

  it('cuts a long reply', () => {
    const text = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
    const shown = lines({ type: 'turn-end', step: 's', turn: 2, text, calls: 1 });
    expect(shown).toHaveLength(14);
    expect(shown.at(-1)).toBe('  │ … +8 lines');
  });
});

describe('createPaint', () => {
  it.each([
    ['on a terminal', { isWatched: true, env: {} }, '\x1b[32mok\x1b[39m'],
    ['not without a terminal', { isWatched: false, env: {} }, 'ok'],
    ['not with NO_COLOR', { isWatched: true, env: { NO_COLOR: '1' } }, 'ok'],
    ['not on a dumb terminal', { isWatched: true, env: { TERM: 'dumb' } }, 'ok'],
  ])('colours %s', (_, io, text) => {
    expect(createPaint(io).good('ok')).toBe(text);
  });
});
