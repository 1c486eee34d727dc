/** Time and chance, so that tests and replays can hold both still. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that only ever grow, with fractions. */
  elapsed(): number;
  newRunId(): string;
}
