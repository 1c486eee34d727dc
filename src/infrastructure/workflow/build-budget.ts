import type { Budget } from '../../domain/workflow.js';
import { durationOf } from './quantity.js';
import { withoutMissing } from './without-missing.js';
import type { YamlValue } from './yaml-value.js';

/** What may be used up at most, by a step or by a whole run. */
export function buildBudget(limits: YamlValue): Budget {
  return withoutMissing({
    maxTokens: limits.get('max_tokens').number(),
    maxCostUsd: limits.get('max_cost_usd').number(),
    maxDurationMs: durationOf(limits.get('max_duration')),
  });
}
