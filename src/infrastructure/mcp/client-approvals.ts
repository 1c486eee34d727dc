import { AsyncLocalStorage } from 'node:async_hooks';
import type { ApprovalDecision, ApprovalRequest } from '../../domain/approval.js';
import { messageOf } from '../../domain/errors.js';
import { LONGEST_TIMER_MS } from '../../domain/longest-timer.js';
import { toVisible } from '../../domain/visible-text.js';
import type { ApprovalGate, ReviewContext } from '../../ports/approval-gate.js';
import type { Server } from './sdk.js';

/** A client that might be able to ask its person. */
interface AskableClient {
  readonly server: Server;
  readonly name: string;
  /** Its call, on whose own stream it is asked: over HTTP it need have no other open. */
  readonly requestId: string | number;
}

/** More than a person reads: such a call is for another gate, which can show it page by page. */
const MAX_QUESTION_LENGTH = 16_384;
const CHOICES = ['allow once', 'allow for this session', 'deny'] as const;

const SCHEMA = {
  type: 'object',
  properties: { decision: { type: 'string', title: 'May it run?', enum: [...CHOICES] } },
  required: ['decision'],
} as const;

/**
 * Asks through the very client that makes the call, by elicitation. Only for clients that were said to be trusted: a
 * client that answers by itself approves its own calls. Anything but a plain yes is a no.
 */
export class ClientApprovals {
  readonly #calling = new AsyncLocalStorage<AskableClient>();
  #isTrusted = false;

  /** Makes a call of a client's, which is then the one to be asked about it. */
  during<T>(client: AskableClient, call: () => Promise<T>): Promise<T> {
    return this.#isTrusted ? this.#calling.run(client, call) : call();
  }

  gate(next: ApprovalGate): ApprovalGate {
    this.#isTrusted = true;
    return {
      review: (request, context) => {
        const client = this.#calling.getStore();
        const question = questionOf(request);
        // One that only opens addresses cannot show a question of ours.
        const canAsk = client?.server.getClientCapabilities()?.elicitation?.form !== undefined;
        if (!client || !canAsk || question.length > MAX_QUESTION_LENGTH) return next.review(request, context);
        return ask(client, { question, planHash: request.planHash }, context);
      },
    };
  }
}

async function ask(
  { server, name, requestId }: AskableClient,
  { question, planHash }: { readonly question: string; readonly planHash: string },
  { signal }: ReviewContext,
): Promise<ApprovalDecision> {
  try {
    const params = { message: question, requestedSchema: structuredClone(SCHEMA) };
    const { action, content } = await server.elicitInput(params as never, {
      signal,
      timeout: LONGEST_TIMER_MS,
      relatedRequestId: requestId,
    });
    const decision = action === 'accept' ? content?.decision : undefined;
    const scope = decision === CHOICES[0] ? 'once' : decision === CHOICES[1] ? 'run' : undefined;
    if (scope) return { kind: 'approved', planHash, scope, source: 'user', by: name };
    return { kind: 'denied', reason: `the person at ${name} said no`, by: name };
  } catch (error) {
    return { kind: 'denied', unavailable: true, reason: `${name} could not ask: ${messageOf(error)}` };
  }
}

function questionOf({ plan, reason }: ApprovalRequest): string {
  const args = toVisible(JSON.stringify(plan.arguments, null, 2), { multiline: true });
  const action = toVisible(JSON.stringify(plan.action), { multiline: true });
  return `May "${plan.tool}" run? (${toVisible(reason.text)})\n\nArguments:\n${args}\n\nWhat it would do:\n${action}`;
}
