/** One request to a model's API. Its headers hold the key: whoever writes requests down leaves them out. */
export interface ModelRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

export interface ModelResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as they come, decompressed. Fails with a `ProviderError` when the connection does. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The rest is of no interest: a connection that is at its end is kept for the next request, another is closed. */
  release(): void;
}

/**
 * The one door to the network that every HTTP provider uses: one request, one try, redirects not followed. What
 * cannot be sent or received is a `ProviderError`; a response of any status is a response. Once the signal is
 * aborted the socket is closed. To record, replay or delay what models say, wrap it.
 */
export type ModelTransport = (
  request: ModelRequest,
  context: { readonly signal: AbortSignal },
) => Promise<ModelResponse>;
