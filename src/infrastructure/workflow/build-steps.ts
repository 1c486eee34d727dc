import { isJsonObject } from '../../domain/json.js';
import {
  type AgentStep,
  DEFAULT_TOOL_OPTIONS,
  type StepTarget,
  type ToolOptions,
  type ToolProtocol,
} from '../../domain/workflow.js';
import { buildBudget } from './build-budget.js';
import { buildConversation } from './build-conversation.js';
import { durationOf } from './quantity.js';
import type { References } from './references.js';
import { reportDuplicates } from './report-duplicates.js';
import { withoutMissing } from './without-missing.js';
import type { YamlValue } from './yaml-value.js';

/** A step and where it is, for what is checked once all steps are known. */
export interface PlacedStep {
  readonly step: AgentStep;
  readonly at: YamlValue;
}

/** Turns a target's name into where it leads; nothing when there is no such step. */
export type TargetResolver = (target: YamlValue) => StepTarget | undefined;

/** What a step gets from its place in the file. */
export interface StepPlace {
  readonly name: string;
  readonly next: StepTarget;
  readonly resolve: TargetResolver;
}

/** The end of a workflow, good or bad. */
export function endTarget(status: 'success' | 'failure', message?: string): StepTarget {
  return { kind: 'end', status, ...(message === undefined ? {} : { message }) };
}

/** One agent step of either dialect. */
export function buildStep(step: YamlValue, place: StepPlace, references: References): PlacedStep {
  for (const key of ['provider', 'prompt', 'initial_prompt', 'system_prompt']) {
    references.scan(step.get(key), { kind: 'step', step: place.name });
  }
  scanOptions(step.get('options'), place, references);
  const { raw: options } = step.get('options');
  reportDuplicates(step.get('tools').items());
  return {
    at: step,
    step: withoutMissing({
      name: place.name,
      provider: step.get('provider').text() ?? '',
      prompt: step.get('initial_prompt').text() ?? step.get('prompt').text() ?? '',
      systemPrompt: step.get('system_prompt').text(),
      tools: step.get('tools').texts() ?? [],
      toolProtocol: step.get('tool_protocol').text() as ToolProtocol | undefined,
      toolFormat: step.get('tool_format').text(),
      options: isJsonObject(options) ? options : {},
      toolOptions: buildToolOptions(step),
      conversation: buildConversation(step, place.name, references),
      onSuccess: place.resolve(step.get('on_success')) ?? place.next,
      onFailure: buildFailure(step.get('on_failure'), place, references),
    }),
  };
}

function scanOptions(options: YamlValue, { name }: StepPlace, references: References): void {
  const others = options.entries().flatMap(([key]) => (key === 'command' ? [] : [key]));
  for (const [key, option] of options.entries()) {
    const isCommand = key === 'command';
    references.scan(option, isCommand ? { kind: 'option', options: others } : { kind: 'step', step: name });
  }
}

function buildFailure(target: YamlValue, place: StepPlace, references: References): StepTarget {
  if (!isJsonObject(target.raw)) return place.resolve(target) ?? endTarget('failure');
  references.scan(target.get('message'), { kind: 'end', after: [place.name] });
  return endTarget('failure', target.get('message').text());
}

function buildToolOptions(step: YamlValue): ToolOptions {
  const options = step.get('tool_options');
  const [timeout, maxDuration] = [step.get('timeout'), options.get('max_duration')];
  if (timeout.isPresent && maxDuration.isPresent) {
    const message = `${step.path} has both \`timeout\` and \`max_duration\`, which mean the same`;
    timeout.report({ code: 'WORKFLOW.VALIDATION.SCHEMA', message }, 'key');
  }
  return withoutMissing({
    maxCalls: options.get('max_calls').number() ?? DEFAULT_TOOL_OPTIONS.maxCalls,
    timeoutPerCallMs: durationOf(options.get('timeout_per_call')) ?? DEFAULT_TOOL_OPTIONS.timeoutPerCallMs,
    approvalTimeoutMs: durationOf(options.get('approval_timeout')),
    maxParallel: options.get('max_parallel').number() ?? DEFAULT_TOOL_OPTIONS.maxParallel,
    ...buildBudget(options),
    ...withoutMissing({ maxDurationMs: durationOf(maxDuration) ?? durationOf(timeout) }),
  });
}
