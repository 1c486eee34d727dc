/** Colours for people; plain text where nobody sees them. */
export interface Paint {
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warning: (text: string) => string;
}

/** NO_COLOR, a dumb terminal and no terminal at all mean no colour. */
export function createPaint(io: {
  readonly isWatched: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Paint {
  const isPlain = !io.isWatched || Boolean(io.env.NO_COLOR) || io.env.TERM === 'dumb';
  const style = (on: number, off: number) => (text: string) =>
    isPlain ? text : `\x1b[${on}m${text}\x1b[${off}m`;
  return {
    dim: style(2, 22),
    bold: style(1, 22),
    good: style(32, 39),
    bad: style(31, 39),
    warning: style(33, 39),
  };
}
