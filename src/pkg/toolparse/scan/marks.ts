/** Opens and closes a code block; inside one, only declared tools are called. */
export const FENCE = '```';

/** What sets a passage apart in which no calls are read. */
export interface PassageMarks {
  readonly open: string;
  readonly close: string;
  /** Set for tokens that prose does not hold; others count only where a block may begin. */
  readonly isToken?: boolean;
  /** Set for what is said to the user, which is no reasoning: it may stay open, and is never read for calls. */
  readonly isSpeech?: boolean;
}

/** How models set their reasoning apart. */
export const REASONING_MARKS: readonly PassageMarks[] = [
  { open: '<think>', close: '</think>' },
  { open: '<THINK>', close: '</THINK>' },
  { open: '<thinking>', close: '</thinking>' },
  { open: '<reasoning>', close: '</reasoning>' },
  { open: '<mm:think>', close: '</mm:think>' },
  { open: '<seed:think>', close: '</seed:think>' },
  { open: '[THINK]', close: '[/THINK]' },
  { open: '◁think▷', close: '◁/think▷', isToken: true },
  { open: '<|START_THINKING|>', close: '<|END_THINKING|>', isToken: true },
  { open: '<|channel|>analysis<|message|>', close: '<|end|>', isToken: true },
  { open: '<|channel>thought', close: '<channel|>', isToken: true },
  { open: '<|open|>think<|sep|>', close: '<|close|>think<|sep|>', isToken: true },
  { open: '<|content_thinking|>', close: '<|end_message|>', isToken: true },
  { open: 'to=self<|message|>', close: '<|eom|>', isToken: true },
  { open: 'to=user<|message|>', close: '<|eom|>', isToken: true, isSpeech: true },
];
