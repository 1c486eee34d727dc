import type { JsonObject } from './json.js';

/** What an agent that owns its loop shows of itself while it works, and what a record must therefore hold. */
export type AgentNotice =
  /** Its own name for what it remembers: whoever knows it can go on where it was. */
  | { readonly kind: 'session'; readonly id: string }
  /** It used a tool of its own, which went past the gate. */
  | { readonly kind: 'bypassed'; readonly tool: string; readonly arguments: JsonObject }
  | { readonly kind: 'warning'; readonly message: string };
