import type { ContextStrategy, Conversation } from '../../domain/conversation.js';
import { ExpressionError } from '../../domain/expression/expression-error.js';
import { parseExpression } from '../../domain/expression/parse-expression.js';
import type { References } from './references.js';
import { withoutMissing } from './without-missing.js';
import type { YamlValue } from './yaml-value.js';

/** How a step goes on after an answer. Nothing where the file does not speak of a conversation. */
export function buildConversation(
  step: YamlValue,
  name: string,
  references: References,
): Conversation | undefined {
  const written = step.get('conversation');
  const mode = modeOf(step, written);
  checkTogether(step, mode);
  if (!written.isPresent && mode === 'single') return undefined;
  references.scan(written.get('inject_context'), { kind: 'step', step: name });
  references.goesOnFrom(written.get('continue_from'), name);
  return withoutMissing({
    mode,
    maxTurns: written.get('max_turns').number(),
    maxContextTokens: written.get('max_context_tokens').number(),
    strategy: written.get('strategy').text() as ContextStrategy | undefined,
    stopCondition: stopCondition(written.get('stop_condition')),
    continueFrom: written.get('continue_from').text(),
    nextPrompt: mode === 'automatic' ? nextPrompt(step) : undefined,
  });
}

type Mode = Conversation['mode'];

function modeOf(step: YamlValue, written: YamlValue): Mode {
  if (step.get('mode').raw === 'conversation') return 'interactive';
  return isAutomatic(written) ? 'automatic' : 'single';
}

/** A conversation that has something to end it goes on by itself until it does. */
function isAutomatic(written: YamlValue): boolean {
  return written.get('max_turns').isPresent || written.get('stop_condition').isPresent;
}

/** As AWF has it: the prompt again, and below it what is to be added each time. */
function nextPrompt(step: YamlValue): string {
  const prompt = step.get('prompt').text() ?? 'Go on.';
  const added = step.get('conversation').get('inject_context').text();
  return added === undefined ? prompt : `${prompt.trimEnd()}\n\n${added}`;
}

/** Read here so that a mistake in it is found where it stands; what is kept is the text. */
function stopCondition(value: YamlValue): string | undefined {
  const source = value.text();
  if (source === undefined) return undefined;
  try {
    parseExpression(source);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { code, message, offset } = error;
    value.report({ code, message: `${value.path}: at character ${offset + 1}, ${message}` }, { at: offset });
  }
  return source;
}

/** Settings that contradict each other, or that would have no effect. */
function checkTogether(step: YamlValue, mode: Mode): void {
  const written = step.get('conversation');
  const [single, strategy] = [step.get('mode'), written.get('strategy')];
  if (single.raw === 'single' && mode === 'automatic') {
    const message = `${single.path}: a single answer has no \`max_turns\` and no \`stop_condition\``;
    single.report({ code: 'WORKFLOW.VALIDATION.SCHEMA', message, suggestion: () => 'leave out `mode`' });
  }
  if (strategy.isPresent && !written.get('max_context_tokens').isPresent) {
    const message = `${written.path} has a \`strategy\` and no \`max_context_tokens\` to use it at`;
    strategy.report({ code: 'WORKFLOW.VALIDATION.SCHEMA', message }, 'key');
  }
  if (mode !== 'automatic') checkNeverSaid(step);
}

/** Only a conversation that goes on by itself says anything after its first prompt. */
function checkNeverSaid(step: YamlValue): void {
  const added = step.get('conversation').get('inject_context');
  const isTwice = step.get('initial_prompt').isPresent && step.get('prompt').isPresent;
  for (const value of [...(added.isPresent ? [added] : []), ...(isTwice ? [step.get('prompt')] : [])]) {
    const message = `${value.path} would never be said: the agent is told more only in a conversation with \`max_turns\` or \`stop_condition\`, and without \`mode\``;
    value.report({ code: 'WORKFLOW.VALIDATION.SCHEMA', message }, 'key');
  }
}
