import type { RunRequest } from '../../../application/run-request.js';
import { inspectAgents } from '../../../application/step-agents.js';
import { ToolgateError } from '../../../domain/errors.js';
import type { AgentProviders } from '../../../ports/agent-provider.js';

type Asking = Pick<RunRequest, 'workflow' | 'inputs' | 'env' | 'provider' | 'providerOptions'>;

/**
 * An agent that runs its own loop waits for the answer to each of its calls: it cannot be put away until somebody has
 * one. Better to say so than to deny it every call that is asked about, when the run has come to that.
 */
export async function refuseLater(request: Asking, providers: AgentProviders): Promise<void> {
  const findings = await inspectAgents(request, providers);
  const waiting = request.workflow.steps.find(
    ({ name, tools }) => tools.length > 0 && findings.some(({ step, ownsLoop }) => ownsLoop && step === name),
  );
  if (!waiting) return;
  const message =
    `--approvals later: the agent of step "${waiting.name}" (${request.provider ?? waiting.provider}) waits for each ` +
    'answer while it runs. Answer at the terminal, on a page (--approvals http://127.0.0.1:0) or beforehand (--approve)';
  throw new ToolgateError('USER.ARGUMENT.INVALID', message);
}
