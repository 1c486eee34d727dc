import { suggestName } from '../domain/closest.js';
import type { Conversation } from '../domain/conversation.js';
import { ToolgateError } from '../domain/errors.js';
import type { JsonObject } from '../domain/json.js';
import type { Message } from '../domain/message.js';
import type { StepState } from '../domain/step-state.js';
import { renderTemplate, type TemplateScope } from '../domain/template.js';
import type { AgentStep, TextFormat } from '../domain/workflow.js';
import type { AgentProviders } from '../ports/agent-provider.js';
import type { Tape } from '../ports/agent-recordings.js';
import type { JournalSession } from '../ports/run-journal.js';
import type { ToolEntry } from '../ports/tool-executor.js';
import type { UserInput } from '../ports/user-input.js';
import type { OrchestratorEvent } from './events.js';
import { type History, openingMessages, speakerOf } from './history.js';
import type { RunRequest } from './run-request.js';
import type { SharedBudget } from './shared-budget.js';
import { speaksText } from './speak-protocol.js';
import { inStep, inspectAgents, makeAgent } from './step-agents.js';
import type { ToolOrchestrator } from './tool-orchestrator.js';

/** A workflow's step in its run. */
export interface StepContext {
  /** The name its effects go by: the step's own, numbered when it is visited again. */
  readonly effectName: string;
  readonly scope: TemplateScope;
  readonly tools: ReadonlyMap<string, ToolEntry>;
  readonly session: JournalSession;
  readonly signal: AbortSignal;
  readonly approvedPlans: Set<string>;
  readonly formats: readonly TextFormat[];
  /** Replaces the step's own provider. */
  readonly provider?: string;
  readonly providerOptions: JsonObject;
  readonly budget?: SharedBudget;
  /** What was said in the step that this one goes on from. */
  readonly history?: History;
  /** Given what was said in this one, for steps that go on from it. */
  readonly onHistory?: (history: History) => void;
}

/** Turns a declared step into a request for the loop: fills its templates, makes its agent, picks its tools. */
export class StepRunner {
  constructor(
    private readonly orchestrator: ToolOrchestrator,
    private readonly providers: AgentProviders,
    private readonly userInput?: UserInput,
  ) {}

  /** The same, with providers that are recorded or played. */
  withTape(tape: Tape): StepRunner {
    return new StepRunner(this.orchestrator, tape.wrap(this.providers), this.userInput);
  }

  /** Before the first step runs, so that a later one's missing provider does not end a run in the middle. */
  async checkProviders(request: RunRequest): Promise<void> {
    for (const { step, error } of await inspectAgents(request, this.providers)) {
      if (!error) continue;
      // Nobody wrote that into the workflow.
      if (request.provider !== undefined && error.code === 'WORKFLOW.PROVIDER.UNKNOWN')
        throw new ToolgateError('USER.ARGUMENT.INVALID', error.message);
      throw inStep(step, error);
    }
  }

  async *run(step: AgentStep, context: StepContext): AsyncGenerator<OrchestratorEvent, StepState, void> {
    const { scope, session, signal, approvedPlans, formats, budget, onHistory } = context;
    const { providers } = this;
    const { agent, options, protocol } = await makeAgent(step, scope, { ...context, providers });
    const speaker = speakerOf({ agent, options, isText: speaksText(agent, step.tools.length, protocol) });
    return yield* this.orchestrator.run(
      {
        step: context.effectName,
        agent,
        messages: openingMessages(messagesOf(step, scope), speaker, context.history),
        tools: step.tools.map((tool) => pick(tool, step, context.tools)),
        protocol,
        options,
        limits: step.toolOptions,
        approvedPlans,
        formats,
        ...(step.conversation ? { conversation: renderConversation(step.conversation, scope) } : {}),
        ...(this.userInput ? { userInput: this.userInput } : {}),
        ...(budget ? { budget } : {}),
        ...(onHistory ? { onHistory: (messages) => onHistory({ speaker, messages }) } : {}),
      },
      { signal, session },
    );
  }
}

function messagesOf(step: AgentStep, scope: TemplateScope): Message[] {
  const user: Message = { role: 'user', content: renderTemplate(step.prompt, scope) };
  if (step.systemPrompt === undefined) return [user];
  return [{ role: 'system', content: renderTemplate(step.systemPrompt, scope) }, user];
}

function renderConversation(conversation: Conversation, scope: TemplateScope): Conversation {
  const { nextPrompt } = conversation;
  return nextPrompt === undefined
    ? conversation
    : { ...conversation, nextPrompt: renderTemplate(nextPrompt, scope).trim() };
}

function pick(name: string, step: AgentStep, tools: ReadonlyMap<string, ToolEntry>): ToolEntry {
  const entry = tools.get(name);
  if (entry) return entry;
  const hint = suggestName(name, [...tools.keys()]);
  const message = `Step "${step.name}" uses the tool "${name}", which is neither declared nor bound (${hint})`;
  throw new ToolgateError('WORKFLOW.VALIDATION.MISSING_TOOL', message);
}
