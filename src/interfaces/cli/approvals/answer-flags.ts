import type { Command } from 'commander';
import { Option } from 'commander';
import type { ApprovalAnswer } from '../../../domain/approval-answer.js';
import { ToolgateError } from '../../../domain/errors.js';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';

/** An answer given with flags, for scripts and for whoever has no terminal. */
export interface AnswerFlags {
  readonly yes?: true;
  readonly plan?: string;
  readonly scope?: 'once' | 'run' | 'always';
  readonly edit?: string;
  readonly deny?: true;
  readonly abort?: true;
  readonly reason?: string;
}

export function addAnswerFlags(command: Command): Command {
  const scope = new Option('--scope <scope>', 'with --yes: how long the yes holds for exactly this call');
  return command
    .option('--yes', 'allow the call; needs --plan')
    .option('--plan <hash>', 'the plan that is allowed: its hash, or at least the part that is shown')
    .addOption(scope.choices(['once', 'run', 'always']))
    .option('--edit <json>', 'allow it with these arguments instead; needs --plan')
    .option('--deny', 'deny the call')
    .option('--abort', 'deny the call, and stop the run')
    .option('--reason <text>', 'with --deny or --abort: why, which the agent reads');
}

/** The answer that the flags give; undefined if they give none, so that somebody must be asked. */
export function answerFromFlags(flags: AnswerFlags): ApprovalAnswer | undefined {
  const given = (['yes', 'edit', 'deny', 'abort'] as const).filter((name) => flags[name] !== undefined);
  const [answer, ...more] = given;
  if (more.length > 0) throw invalid(`give one answer: ${given.map((name) => `--${name}`).join(' or ')}`);
  assertFits(flags, answer);
  switch (answer) {
    case 'yes':
      return { answer: flags.scope ?? 'once' };
    case 'edit':
      return { answer, arguments: argumentsOf(flags.edit ?? '') };
    case 'deny':
    case 'abort':
      return { answer, ...(flags.reason ? { reason: flags.reason } : {}) };
    case undefined:
      return undefined;
    default:
      throw answer satisfies never;
  }
}

type GivenAnswer = 'yes' | 'edit' | 'deny' | 'abort' | undefined;

/** A flag that does nothing was meant to do something. */
function assertFits({ plan, scope, reason }: AnswerFlags, answer: GivenAnswer): void {
  const allows = answer === 'yes' || answer === 'edit';
  if (allows && plan === undefined) throw invalid(`--${answer} needs --plan: a yes is for one plan only`);
  if (plan !== undefined && !allows) throw invalid('--plan belongs to --yes or --edit');
  if (scope !== undefined && answer !== 'yes') throw invalid('--scope belongs to --yes');
  if (reason !== undefined && answer !== 'deny' && answer !== 'abort') {
    throw invalid('--reason belongs to --deny or --abort');
  }
}

function argumentsOf(text: string): JsonObject {
  const parsed = parse(text);
  if (isJsonObject(parsed)) return parsed;
  throw invalid('--edit needs all arguments of the call, as a JSON object');
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw invalid(`--edit is not JSON: ${(cause as Error).message}`);
  }
}

function invalid(message: string): ToolgateError {
  return new ToolgateError('USER.ARGUMENT.INVALID', message);
}
