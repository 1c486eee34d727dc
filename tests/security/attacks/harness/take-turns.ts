import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent, RunOutcome } from '../../../../src/application/run-request.js';
import type { WorkflowRunner } from '../../../../src/application/workflow-runner.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { renderToolResults } from '../../../../src/pkg/toolparse/render/render-tool-results.js';
import type { AgentProviders } from '../../../../src/ports/agent-provider.js';
import { TOKENS } from '../../../../src/ports/tokens.js';
import {
  type ComputedTurn,
  ScriptedAgent,
  type ScriptedTurn,
} from '../../../../src/testing/scripted-agent.js';
import type { AttackCase } from './attack-case.js';
import type { Played } from './evidence.js';
import type { Opened } from './gate.js';
import { argumentsOf } from './make-call.js';
import { toolNameOf } from './workflow-of.js';
import type { World } from './world.js';

/** Whether a case is about more than one call, about what an agent wrote, or about what it gets to read. */
export function needsTurns(kase: AttackCase): boolean {
  const { input, policy, assert, area } = kase;
  const keys = [input.calls, policy.remembered, assert.repeat];
  return (
    area === 'log' || keys.some((key) => key !== undefined) || policy.answer === '<hang>' || isReply(kase)
  );
}

/** Whether `raw` is what an agent said, not only the arguments of a call. */
export function isReply({ input, policy }: AttackCase): boolean {
  const isOther = policy.tool === 'registry' || policy.tool === 'parser';
  return typeof input.raw === 'string' && (isOther || /^[<`]/.test(input.raw));
}

/** An agent that says what the case says, in a run of its own. */
export async function takeTurns(kase: AttackCase, world: World, opened: Opened): Promise<Played> {
  const { workflow, inputs, gate } = opened;
  const done: ScriptedTurn = { text: 'done' };
  const protocol = isReply(kase) ? 'text' : 'native';
  const agent = new ScriptedAgent([...turnsOf(kase, world), done, done], { toolProtocol: protocol });
  gate.container.rebind<AgentProviders>(TOKENS.AgentProviders).toConstantValue(agent);
  const runner = gate.container.get<WorkflowRunner>(TOKENS.WorkflowRunner);
  const { signal } = new AbortController();
  const request = { workflow, inputs, workspace: world.root, env: process.env };
  const performed: string[] = [];
  const outcome = await outcomeOf(runner.run(request, { signal }), (event) => {
    if (event.type === 'call-start') performed.push(event.callId);
  });
  const calls = [...outcome.states.values()].flatMap(({ toolCalls }) => toolCalls);
  return { calls, performed, injected: injectedInto(agent) };
}

function turnsOf(kase: AttackCase, world: World): readonly (ScriptedTurn | ComputedTurn)[] {
  const { input, policy, assert } = kase;
  const name = toolNameOf(kase);
  if (isReply(kase)) return [{ text: String(input.raw) }];
  const call = { name, arguments: argumentsOf(kase) };
  if (typeof input.calls === 'number') return [{ calls: someCalls(name, input.calls) }];
  if (typeof assert.repeat === 'number') return [{ calls: Array(assert.repeat).fill(call) }];
  const id = typeof input.id === 'string' ? { id: input.id } : {};
  const asked = { calls: [{ ...call, ...id }] };
  if (!Array.isArray(policy.remembered)) return [asked];
  const before = policy.remembered.map((command) => ({ calls: [{ name, arguments: { command } }] }));
  return [...before, changing(asked, policy, world)];
}

/** Calls of every kind: some go well, some fail, some are refused. */
function someCalls(name: string, count: number) {
  const kinds: readonly JsonObject[] = [{ command: 'true' }, { command: 'false' }, { command: 7 }];
  return Array.from({ length: count }, (_, index) => ({ name, arguments: kinds[index % 3] ?? {} }));
}

/** The file that a case speaks of becomes another before the agent asks again. */
function changing(turn: ScriptedTurn, { changed_since }: JsonObject, world: World): ComputedTurn {
  return () => {
    if (changed_since !== undefined) writeFileSync(join(world.root, String(changed_since)), '{}');
    return turn;
  };
}

function injectedInto(agent: ScriptedAgent): string {
  const messages = agent.requests.at(-1)?.messages ?? [];
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
  return renderToolResults(results.map(({ callId, tool, ...rest }) => ({ id: callId, name: tool, ...rest })));
}

async function outcomeOf(
  run: AsyncGenerator<RunEvent, RunOutcome, void>,
  see: (event: RunEvent) => void,
): Promise<RunOutcome> {
  for (;;) {
    const next = await run.next();
    if (next.done) return next.value;
    see(next.value);
  }
}
