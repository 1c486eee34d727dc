import { ToolgateError } from '../../../domain/errors.js';
import { isJsonObject } from '../../../domain/json.js';
import type { Message } from '../../../domain/message.js';
import type { CallRecord } from '../../../domain/step-state.js';
import type { InterruptedTurn } from '../../../ports/agent-gate.js';
import { renderConversation } from '../command/render-conversation.js';

/** What a command line is told for one turn. */
export interface TurnPrompt {
  readonly prompt: string;
  readonly system?: string;
  /** Set if it is to go on with what it remembers, and need not be told that again. */
  readonly sessionId?: string;
}

export interface PromptContext {
  readonly agent: string;
  readonly workspace?: string;
  readonly interrupted?: InterruptedTurn;
}

/** Puts a conversation into the one prompt that a command line takes. */
export function turnPrompt(messages: readonly Message[], context: PromptContext): TurnPrompt {
  const system = systemOf(messages, context.workspace);
  const { interrupted } = context;
  if (interrupted?.sessionId !== undefined) {
    return { prompt: goOn(interrupted.calls), sessionId: interrupted.sessionId, ...system };
  }
  if (interrupted && interrupted.calls.length > 0) throw cannotGoOn(context.agent, interrupted.calls);
  const said = messages.filter(({ role }) => role !== 'system');
  const last = said.findLastIndex((message) => sessionOf(message) !== undefined);
  const sessionId = sessionOf(said[last]);
  const fresh = said.slice(last + 1);
  return { prompt: textOf(fresh), ...system, ...(sessionId === undefined ? {} : { sessionId }) };
}

function sessionOf(message: Message | undefined): string | undefined {
  if (message?.role !== 'assistant' || !isJsonObject(message.raw)) return undefined;
  const { session_id: id } = message.raw;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function textOf(messages: readonly Message[]): string {
  const [only] = messages;
  return only?.role === 'user' && messages.length === 1 ? only.content : renderConversation(messages);
}

/** It runs in a folder of its own, so it must be told where its tools work. */
function systemOf(messages: readonly Message[], workspace: string | undefined): Pick<TurnPrompt, 'system'> {
  const said = messages.flatMap((message) => (message.role === 'system' ? [message.content] : []));
  const where =
    workspace === undefined
      ? []
      : [
          `Your tools work in the folder ${workspace}; relative paths are relative to it. You have no others.`,
        ];
  const parts = [...said, ...where];
  return parts.length === 0 ? {} : { system: parts.join('\n\n') };
}

function goOn(calls: readonly CallRecord[]): string {
  const lost = calls.filter(({ result }) => !result.success).map(callLine);
  const list = lost.length === 0 ? '' : ` These calls did not give you a result:\n${lost.join('\n')}\n`;
  return `You were interrupted.${list} Look at what is done already, and go on with your task.`;
}

function cannotGoOn(agent: string, calls: readonly CallRecord[]): ToolgateError {
  const doubtful = calls.filter(({ result }) => result.error?.code === 'EXECUTION.CALL.IN_DOUBT');
  const list = doubtful.length === 0 ? 'none' : `\n${doubtful.map(callLine).join('\n')}`;
  const message =
    `"${agent}" was interrupted after ${calls.length} calls and had not told its session, so it cannot go on. ` +
    `Calls of which nobody knows whether they took effect: ${list}`;
  return new ToolgateError('EXECUTION.PROVIDER.INTERRUPTED', message);
}

function callLine({ tool, arguments: args, result }: CallRecord): string {
  const text = JSON.stringify(args);
  const shown = text.length > 500 ? `${text.slice(0, 500)}…` : text;
  return `- ${tool} ${shown}: ${result.error?.message ?? 'no result'}`;
}
