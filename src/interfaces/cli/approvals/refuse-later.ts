import type { RunRequest } from '../../../application/run-request.js';
import { makeAgent } from '../../../application/step-agents.js';
import { templateScope } from '../../../application/template-scope.js';
import { ToolgateError } from '../../../domain/errors.js';
import type { AgentStep } from '../../../domain/workflow.js';
import type { AgentProviders } from '../../../ports/agent-provider.js';

type Asking = Pick<RunRequest, 'workflow' | 'inputs' | 'env' | 'provider' | 'providerOptions'>;

/**
 * An agent that runs its own loop waits for the answer to each of its calls: it cannot be put away until somebody has
 * one. Better to say so than to deny it every call that is asked about, when the run has come to that.
 */
export async function refuseLater(request: Asking, providers: AgentProviders): Promise<void> {
  for (const step of request.workflow.steps) {
    if (step.tools.length === 0 || !(await ownsLoop(step, request, providers))) continue;
    const message =
      `--approvals later: the agent of step "${step.name}" (${request.provider ?? step.provider}) waits for each ` +
      'answer while it runs. Answer at the terminal, on a page (--approvals http://127.0.0.1:0) or beforehand (--approve)';
    throw new ToolgateError('USER.ARGUMENT.INVALID', message);
  }
}

/** One that cannot be made yet, or at all, is not known to: the run says what is wrong with it. */
async function ownsLoop(step: AgentStep, request: Asking, providers: AgentProviders): Promise<boolean> {
  const { inputs, env, provider, providerOptions } = request;
  const replacement = {
    ...(provider === undefined ? {} : { provider }),
    ...(providerOptions ? { providerOptions } : {}),
  };
  try {
    const scope = templateScope(inputs, new Map(), env);
    const { agent } = await makeAgent(step, scope, { providers, ...replacement });
    return agent.ownsLoop ?? false;
  } catch {
    return false;
  }
}
