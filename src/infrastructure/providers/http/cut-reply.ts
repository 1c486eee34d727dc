/** Why a reply was cut off where more tokens would not help. */
const REASONS: Readonly<Record<string, string>> = {
  content_filter: 'a content filter of the provider ended it',
  insufficient_system_resource: 'the provider had no resources to go on with it; try again later',
  model_context_window_exceeded:
    "the conversation fills the model's context; keep it smaller (max_context_tokens of conversation), or take a model with a larger one",
};

/** What a message says of a cut, by the API's word for it; `undefined` for a reply that was not cut off. */
export function cutMarks(reason: string | undefined): {
  readonly cutOff?: true;
  readonly cutReason?: string;
} {
  if (reason === undefined) return {};
  const cutReason = REASONS[reason];
  return cutReason === undefined ? { cutOff: true } : { cutOff: true, cutReason };
}
