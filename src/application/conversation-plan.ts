import { type Conversation, type ConversationEnd, DEFAULT_MAX_TURNS } from '../domain/conversation.js';
import { parseExpression } from '../domain/expression/parse-expression.js';
import type { StopReason } from '../domain/step-state.js';
import type { WindowOptions } from './context-window.js';

/** What comes after a reply without calls, as a value: the end of the step, or something the agent is told. */
export type NextMove =
  | { readonly kind: 'end'; readonly stoppedBy: StopReason; readonly because: ConversationEnd }
  | { readonly kind: 'say'; readonly text: string }
  /** A person is asked what to say to this. */
  | { readonly kind: 'listen'; readonly reply: string };

/** An exchange that is over: what the agent answered, and how far the conversation has come. */
interface Exchange {
  readonly response: string;
  readonly turns: number;
  readonly tokensUsed: number;
}

/** A conversation as the loop needs it. */
export interface ConversationPlan {
  readonly after: (exchange: Exchange) => NextMove;
  readonly window: WindowOptions;
  /** Whether its condition looks at tokens, so that somebody must count them. */
  readonly countsTokens: boolean;
}

/** What ends a conversation with a person, as AWF has it, and as most programs do. */
const FAREWELLS = new Set(['', 'exit', 'quit', '/exit', '/quit']);

export function isFarewell(line: string): boolean {
  return FAREWELLS.has(line.trim().toLowerCase());
}

/** The plan of a declared conversation; its prompt is filled in already. */
export function planConversation(conversation: Conversation): ConversationPlan {
  const { maxContextTokens, strategy, stopCondition } = conversation;
  const isMet = stopCondition === undefined ? () => false : parseExpression(stopCondition);
  return {
    countsTokens: /\b(?:tokens_used|total_tokens)\b/.test(stopCondition ?? ''),
    window: {
      ...(maxContextTokens === undefined ? {} : { maxTokens: maxContextTokens }),
      ...(strategy ? { strategy } : {}),
    },
    after: ({ response, turns, tokensUsed }) => {
      const scope = {
        response,
        turn_count: turns,
        tokens_used: tokensUsed,
        total_tokens: tokensUsed,
        max_context_tokens: maxContextTokens ?? 0,
      };
      return isMet(scope) ? end('completed', 'condition') : nextMove(conversation, { response, turns });
    },
  };
}

function nextMove(
  { mode, maxTurns, stopCondition, nextPrompt = '' }: Conversation,
  { response, turns }: Pick<Exchange, 'response' | 'turns'>,
): NextMove {
  if (mode === 'single') return end('completed', 'completed');
  const most = maxTurns ?? (mode === 'automatic' ? DEFAULT_MAX_TURNS : Number.POSITIVE_INFINITY);
  if (turns < most) {
    return mode === 'interactive' ? { kind: 'listen', reply: response } : { kind: 'say', text: nextPrompt };
  }
  // Where turns are all that was asked for, having taken them is no limit that was met.
  const isMeant = mode === 'automatic' && stopCondition === undefined;
  return end(isMeant ? 'completed' : 'max_turns', 'max_turns');
}

function end(stoppedBy: StopReason, because: ConversationEnd): NextMove {
  return { kind: 'end', stoppedBy, because };
}
