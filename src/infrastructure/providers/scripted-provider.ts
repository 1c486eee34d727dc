import { setTimeout as delay } from 'node:timers/promises';
import { ToolgateError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { AgentContext, AgentProvider, AgentReply, AgentRequest } from '../../ports/agent-provider.js';
import { quote, textOf, unmetExpectation } from './check-expectation.js';
import type { Script, ScriptedReply } from './script.js';
import { numberedCalls, scriptPosition } from './scripted-turn.js';

/** Answers from a script: no model, no network, the same every time. A turn the script does not foresee fails. */
export class ScriptedProvider implements AgentProvider {
  readonly name = 'scripted';
  readonly toolProtocol: 'native' | 'text';

  /** `options` are those the provider was made with; a request's own come first. */
  constructor(
    private readonly script: Script,
    private readonly options: JsonObject = {},
  ) {
    this.toolProtocol = script.toolProtocol;
  }

  async complete(request: AgentRequest, context: AgentContext): Promise<AgentReply> {
    context.signal.throwIfAborted();
    const reply = this.#replyFor(request);
    if (reply.delayMs > 0) await delay(reply.delayMs, undefined, { signal: context.signal });
    if (reply.error !== undefined) throw new ToolgateError('EXECUTION.PROVIDER.FAILED', reply.error);
    if (reply.text !== '') context.onText?.(reply.text);
    const calls = numberedCalls(reply.calls, request.messages);
    const message = { role: 'assistant', content: reply.text, calls } as const;
    return { message, ...(reply.usage ? { usage: reply.usage } : {}) };
  }

  /** How many replies are left once a run, or the step, has come to this position. */
  unused(position: number, step?: string): number {
    const replies = (step === undefined ? undefined : this.script.steps.get(step)) ?? this.script.replies;
    return Math.max(0, replies.length - position);
  }

  #replyFor(request: AgentRequest): ScriptedReply {
    const options = { ...this.options, ...request.options };
    const step = typeof options.step === 'string' ? options.step : '';
    const own = this.script.steps.get(step);
    const position = own ? scriptPosition(request, 0) : scriptPosition({ ...request, options });
    const reply = (own ?? this.script.replies)[position];
    const place = `${own ? `steps.${step}.` : ''}replies[${position}]`;
    if (!reply)
      throw this.#unexpected(
        place,
        `there is no such reply; asked: ${quote(textOf(request.messages.at(-1)))}`,
      );
    const problem = reply.expect && unmetExpectation(reply.expect, request.messages.at(-1));
    if (problem !== undefined) throw this.#unexpected(place, problem);
    return reply;
  }

  #unexpected(place: string, problem: string): ToolgateError {
    const { file = 'the script' } = this.script;
    return new ToolgateError('EXECUTION.PROVIDER.UNEXPECTED_TURN', `${file}, ${place}: ${problem}`);
  }
}
