import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadWorkflow, resolveInputs } from '../../../../src/container.js';
import { type Failure, ToolgateError } from '../../../../src/domain/errors.js';
import { type Approver, approverOf } from './approver.js';
import type { AttackCase } from './attack-case.js';
import type { Evidence, Played } from './evidence.js';
import { type Gate, openGate, type Weaken } from './gate.js';
import { makeCall } from './make-call.js';
import { Meter } from './meter.js';
import { processesBelow } from './processes.js';
import { needsTurns, takeTurns } from './take-turns.js';
import { type HeldBy, inputsOf, workflowOf } from './workflow-of.js';
import type { World } from './world.js';

interface AttemptOptions {
  readonly heldBy: HeldBy;
  readonly approver?: Approver;
  readonly weaken?: Weaken | undefined;
}

/** Sends a case through the real gate and gathers all there is to know about it. Its texts are already filled in. */
export async function attempt(
  kase: AttackCase,
  world: World,
  { heldBy, weaken, approver = approverOf(kase, world) }: AttemptOptions,
): Promise<Evidence> {
  const gate = await openGate(kase, world, { heldBy, approval: approver.gate, weaken });
  const file = writeWorkflow(kase, world, heldBy);
  world.remember();
  await world.internet.watch();
  const meter = Meter.start(world.root, kase.assert);
  const playing = play({ kase, world, gate, file });
  const [played] = await Promise.all([playing, approver.attend(playing)]);
  const measured = meter.stop();
  return {
    heldBy,
    injected: '',
    ...played,
    ...measured,
    asked: approver.asked,
    started: gate.sandbox.started,
    screen: approver.screen(),
    trail: world.trail(),
    connections: world.internet.connections,
    harm: world.harm(),
    survivors: gate.sandbox.started.length > 0 ? processesBelow(world.base) : [],
  };
}

function writeWorkflow(kase: AttackCase, world: World, heldBy: HeldBy): string {
  const file = join(world.base, 'workflow.yaml');
  const { yaml } = kase.input;
  writeFileSync(file, typeof yaml === 'string' ? yaml : JSON.stringify(workflowOf(kase, world, heldBy)));
  return file;
}

interface Play {
  readonly kase: AttackCase;
  readonly world: World;
  readonly gate: Gate;
  readonly file: string;
}

/** What is thrown with a code is the gate's answer; anything else is a mistake, ours or its own. */
async function play({ kase, world, gate, file }: Play): Promise<Played & { readonly failure?: Failure }> {
  try {
    const workflow = { ...(await loadWorkflow(file, { handlers: [] })), file };
    if (kase.policy.load === 'workflow') return { calls: [], performed: [] };
    if (kase.policy.load !== undefined) throw new Error(`unknown load "${String(kase.policy.load)}"`);
    const inputs = await resolveInputs(workflow, inputsOf(kase, world), { workspace: world.root });
    const opened = { workflow, inputs, gate };
    return needsTurns(kase) ? await takeTurns(kase, world, opened) : await makeCall(kase, world, opened);
  } catch (error) {
    if (!(error instanceof ToolgateError)) throw error;
    return { calls: [], performed: [], failure: { code: error.code, message: error.message } };
  }
}
