import { describe, expect, it } from '@jest/globals';
import type { AgentStep } from '../../../src/domain/workflow.js';
import { parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';
import { listProblems } from './problems-of.js';

function withStep(...lines: readonly string[]): string {
  return ['steps:', '  - name: talk', '    provider: scripted', ...lines.map((line) => `    ${line}`)].join(
    '\n',
  );
}

function stepOf(...lines: readonly string[]): AgentStep | undefined {
  return parseWorkflow(withStep(...lines)).steps[0];
}

describe('buildConversation', () => {
  it('reads every key, and says the prompt again', () => {
    const conversation =
      'conversation: { max_turns: 5, max_context_tokens: 900, strategy: summarize, stop_condition: "turn_count > 2" }';
    expect(stepOf('prompt: Do it', conversation)?.conversation).toEqual({
      mode: 'automatic',
      maxTurns: 5,
      maxContextTokens: 900,
      strategy: 'summarize',
      stopCondition: 'turn_count > 2',
      nextPrompt: 'Do it',
    });
  });

  it("takes AWF's draft: a first prompt, and what is added to the next ones", () => {
    const step = stepOf(
      'initial_prompt: Begin with {{inputs.topic}}',
      'prompt: Now improve it.',
      'conversation: { max_turns: 3, inject_context: "Mind {{inputs.rule}}." }',
    );
    expect(step?.prompt).toBe('Begin with {{inputs.topic}}');
    expect(step?.conversation?.nextPrompt).toBe('Now improve it.\n\nMind {{inputs.rule}}.');
    expect(stepOf('initial_prompt: Begin', 'conversation: { max_turns: 3 }')?.conversation?.nextPrompt).toBe(
      'Go on.',
    );
  });

  it("takes AWF's shipped form: a person talks, or a step only goes on from another", () => {
    expect(stepOf('prompt: Hello', 'mode: conversation')?.conversation).toEqual({ mode: 'interactive' });
    expect(stepOf('prompt: Hello', 'conversation: {}')?.conversation).toEqual({ mode: 'single' });
    expect(stepOf('prompt: Hello', 'mode: single')?.conversation).toBeUndefined();
    const two = parseWorkflow(
      'steps: [{ name: a, provider: x, prompt: p }, { name: b, provider: x, prompt: p, conversation: { continue_from: a } }]',
    );
    expect(two.steps[1]?.conversation).toEqual({ mode: 'single', continueFrom: 'a' });
  });

  it.each([
    [
      withStep('prompt: p', `conversation: { stop_condition: "response contians 'x'" }`),
      `5:47 WORKFLOW.EXPRESSION.INVALID steps[0].conversation.stop_condition: at character 10, "contians" is one word too many`,
    ],
    [
      withStep('prompt: p', 'conversation:', '  stop_condition: turn_count >= two'),
      '6:37 WORKFLOW.EXPRESSION.INVALID steps[0].conversation.stop_condition: at character 15, nothing is known as "two" (there is: response, turn_count, tokens_used, total_tokens, max_context_tokens)',
    ],
    [
      withStep('prompt: p', "conversation: { stop_condition: 'response contains ''x' }"),
      '5:37 WORKFLOW.EXPRESSION.INVALID steps[0].conversation.stop_condition: at character 19, this quote is never closed',
    ],
    [
      withStep('prompt: p', 'conversation: { continue_from: tlak }'),
      '5:36 WORKFLOW.VALIDATION.MISSING_STATE steps[0].conversation.continue_from: there is no step `tlak` → did you mean `talk`?',
    ],
    [
      withStep('prompt: p', 'conversation: { continue_from: talk }'),
      '5:36 WORKFLOW.VALIDATION.MISSING_STATE steps[0].conversation.continue_from: the step `talk` cannot have run before `talk`',
    ],
    [
      withStep('prompt: p', 'conversation: { strategy: sliding_window }'),
      '5:21 WORKFLOW.VALIDATION.SCHEMA steps[0].conversation has a `strategy` and no `max_context_tokens` to use it at',
    ],
    [
      withStep('prompt: p', 'mode: single', 'conversation: { max_turns: 2 }'),
      '5:11 WORKFLOW.VALIDATION.SCHEMA steps[0].mode: a single answer has no `max_turns` and no `stop_condition` → leave out `mode`',
    ],
    [
      withStep('prompt: p', 'initial_prompt: q', 'mode: conversation'),
      '4:5 WORKFLOW.VALIDATION.SCHEMA steps[0].prompt would never be said: the agent is told more only in a conversation with `max_turns` or `stop_condition`, and without `mode`',
    ],
    [withStep('conversation: {}'), '2:5 WORKFLOW.VALIDATION.SCHEMA steps[0] needs `prompt`'],
    [
      withStep('prompt: p', 'conversation: { max_turns: 101 }'),
      '5:32 WORKFLOW.VALIDATION.SCHEMA steps[0].conversation.max_turns: expected 100 or less; found 101',
    ],
    [
      withStep('prompt: p', 'conversation: { max_trns: 1 }'),
      '5:21 WORKFLOW.PARSE.UNKNOWN_FIELD unknown key `max_trns` → did you mean `max_turns`?',
    ],
    [
      withStep('prompt: p', 'mode: chat'),
      '5:11 WORKFLOW.VALIDATION.SCHEMA steps[0].mode: expected single or conversation; found "chat"',
    ],
  ])('says what is wrong: %s', (text, problem) => {
    expect(listProblems(text)).toEqual([problem]);
  });
});

describe('a budget of the workflow', () => {
  it('has tokens, money and time', () => {
    const text = `budget: { max_tokens: 9, max_cost_usd: 0.5, max_duration: 2m }\n${withStep('prompt: p')}`;
    expect(parseWorkflow(text).budget).toEqual({ maxTokens: 9, maxCostUsd: 0.5, maxDurationMs: 120_000 });
    expect(parseWorkflow(withStep('prompt: p')).budget).toBeUndefined();
  });

  it('says what is wrong with it', () => {
    expect(listProblems('budget: { max_calls: 1 }')).toEqual([
      '1:11 WORKFLOW.PARSE.UNKNOWN_FIELD unknown key `max_calls` → what may be here: max_tokens, max_cost_usd, max_duration',
    ]);
    expect(listProblems('budget: { max_duration: 0 }')).toHaveLength(1);
  });
});
