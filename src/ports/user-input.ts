/** Who the agent talks with in an interactive conversation. */
export interface UserInput {
  /** The next message, as it was typed; nothing when there will be none any more. It waits as long as that takes. */
  read(request: InputRequest, context: { readonly signal: AbortSignal }): Promise<string | undefined>;
}

export interface InputRequest {
  readonly step: string;
  /** The turn whose reply is to be answered. */
  readonly turn: number;
}
