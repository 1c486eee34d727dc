import type { AgentProvider } from '../ports/agent-provider.js';

/** What whoever runs a step should know of its agent: what it says itself, and a limit that it cannot be held to. */
export function agentWarnings(
  { warnings = [], costUnknown }: Pick<AgentProvider, 'warnings' | 'costUnknown'>,
  isCostLimited: boolean,
): readonly string[] {
  if (!isCostLimited || costUnknown === undefined) return warnings;
  return [...warnings, `max_cost_usd cannot hold: ${costUnknown}`];
}
