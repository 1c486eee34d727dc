import type { CallRunner } from '../../../../src/application/call-runner.js';
import type { OrchestratorEvent } from '../../../../src/application/events.js';
import { isJsonObject, type Json, type JsonObject } from '../../../../src/domain/json.js';
import type { CallRecord } from '../../../../src/domain/step-state.js';
import type { ToolResult } from '../../../../src/domain/tool-result.js';
import { TOKENS } from '../../../../src/ports/tokens.js';
import type { AttackCase } from './attack-case.js';
import type { Played } from './evidence.js';
import type { Opened } from './gate.js';
import { toolNameOf } from './workflow-of.js';
import type { World } from './world.js';

/** One call, the way `toolgate call` makes it. */
export async function makeCall(
  kase: AttackCase,
  world: World,
  { workflow, inputs, gate }: Opened,
): Promise<Played> {
  const { signal } = new AbortController();
  const args = argumentsOf(kase);
  const request = { workflow, inputs, workspace: world.root, env: process.env };
  const runner = gate.container.get<CallRunner>(TOKENS.CallRunner);
  const run = runner.run({ ...request, tool: toolNameOf(kase), arguments: args }, { signal });
  const records: CallRecord[] = [];
  const performed: string[] = [];
  const result = await resultOf(run, (event) => {
    if (event.type === 'call-start') performed.push(event.callId);
    if (event.type === 'step-end') records.push(...event.state.toolCalls);
  });
  const shown = isJsonObject(args) ? args : {};
  const [record = { id: 'call_001', tool: toolNameOf(kase), arguments: shown, result }] = records;
  return { calls: [record], performed };
}

/** What the agent asks for: the arguments, the arguments of a template, or the text that they came as. */
export function argumentsOf({ input, area, mode }: AttackCase): Json {
  if (input.raw !== undefined) return input.raw;
  if (input.args !== undefined) return input.args;
  const { id: _id, env: _env, ...logged } = input;
  const args: JsonObject = area === 'log' ? logged : input;
  return mode === undefined ? args : { ...args, mode };
}

async function resultOf(
  run: AsyncGenerator<OrchestratorEvent, ToolResult, void>,
  see: (event: OrchestratorEvent) => void,
): Promise<ToolResult> {
  for (;;) {
    const next = await run.next();
    if (next.done) return next.value;
    see(next.value);
  }
}
