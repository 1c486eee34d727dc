import type { ReviewReason } from '../../domain/approval.js';
import type { Typed } from './terminal.js';

/** What a person can do about a question. */
export type Answer =
  | 'once'
  | 'deny'
  | 'reason'
  | 'abort'
  | 'run'
  | 'always'
  | 'edit'
  | 'view'
  | 'interrupt'
  | 'suspend';

interface Choice<Chosen extends string> {
  readonly digit: string;
  readonly key: string;
  readonly answer: Chosen;
  readonly text: string;
}

/** What every list of answers ends with: there is no default. */
const PROMPT = '  any other key means no > ';

export interface Offer {
  readonly reason: ReviewReason;
  /** Whether a rule can be shown that a lasting yes could be for. */
  readonly hasRule: boolean;
  /** Whether a yes may outlast the call at all. */
  readonly mayLast: boolean;
}

/** The digits stay with their answers in every list, so that a hand that knows one is not surprised by another. */
export function choicesFor({ reason, hasRule, mayLast }: Offer): readonly Choice<Answer>[] {
  const yes = reason.kind === 'in-doubt' ? 'yes, run it again' : 'yes, this once';
  const width = hasRule ? ' …' : ': exactly this call';
  const lasting: readonly Choice<Answer>[] = [
    { digit: '5', key: 's', answer: 'run', text: `yes, for this run${width}` },
    { digit: '6', key: 'w', answer: 'always', text: `yes, always${width}` },
  ];
  // What happened once, or is missing on this machine, says nothing about the next time.
  const isPolicy = reason.kind === 'policy';
  return [
    { digit: '1', key: 'y', answer: 'once', text: yes },
    { digit: '2', key: 'n', answer: 'deny', text: 'no' },
    { digit: '3', key: 'r', answer: 'reason', text: 'no, and tell the agent why' },
    { digit: '4', key: 'a', answer: 'abort', text: 'no, and stop the run' },
    ...(isPolicy && mayLast ? lasting : []),
    ...(isPolicy ? [{ digit: '7', key: 'e', answer: 'edit', text: 'change the arguments' } as const] : []),
    { digit: '8', key: 'v', answer: 'view', text: 'view all of it' },
  ];
}

/** How much a lasting yes is for. */
export type Width = 'call' | 'rule' | 'deny' | 'interrupt' | 'suspend';

export function widthChoices(tool: string): readonly Choice<Width>[] {
  return [
    { digit: '1', key: 'c', answer: 'call', text: 'exactly this call' },
    { digit: '2', key: 'n', answer: 'deny', text: 'no' },
    { digit: '3', key: 'f', answer: 'rule', text: `every call of "${tool}" that fits the rule` },
  ];
}

export function listOf(choices: readonly Choice<string>[]): string {
  const lines = choices.map(({ digit, key, text }) => `  ${digit} ${key}  ${text}\n`);
  return `\n${lines.join('')}${PROMPT}`;
}

/** One key and nothing else: what comes in one piece with it was pasted, or is another key's sequence. */
export function answerOf<Chosen extends string>(
  typed: Typed,
  choices: readonly Choice<Chosen>[],
): Chosen | 'deny' | 'interrupt' | 'suspend' {
  if (typed === 'aborted' || typed === 'end') return 'deny';
  const pressed = typed.text.replace(/[\r\n]{1,2}$/, '').toLowerCase();
  if (pressed === '\x03') return 'interrupt';
  if (pressed === '\x1a') return 'suspend';
  return choices.find(({ digit, key }) => pressed === digit || pressed === key)?.answer ?? 'deny';
}
