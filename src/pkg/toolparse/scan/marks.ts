/** Opens and closes a code block; inside one, only declared tools are called. */
export const FENCE = '```';

/** How models set their reasoning apart. */
export const REASONING_MARKS: readonly { readonly open: string; readonly close: string }[] = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
  { open: '<reasoning>', close: '</reasoning>' },
  { open: '[THINK]', close: '[/THINK]' },
];
