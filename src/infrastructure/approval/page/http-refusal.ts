/** A request that gets an answer other than the one it asked for. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}
