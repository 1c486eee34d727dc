import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Container } from 'inversify';
import { createContainer } from '../../../../src/container.js';
import type { InputValues, Workflow } from '../../../../src/domain/workflow.js';
import { GuardedNetworkAccess } from '../../../../src/infrastructure/sandbox/guarded-network-access.js';
import { ProcessSandbox } from '../../../../src/infrastructure/sandbox/process-sandbox.js';
import { AjvArgumentValidator } from '../../../../src/infrastructure/validation/ajv-argument-validator.js';
import type { ApprovalGate } from '../../../../src/ports/approval-gate.js';
import type { ArgumentValidator } from '../../../../src/ports/argument-validator.js';
import type { AuditLog } from '../../../../src/ports/audit-log.js';
import type { NetworkAccess } from '../../../../src/ports/network-access.js';
import type { Sandbox } from '../../../../src/ports/sandbox.js';
import { TOKENS } from '../../../../src/ports/tokens.js';
import type { AttackCase } from './attack-case.js';
import { kernelSandbox } from './kernel.js';
import { RecordingSandbox } from './recording-sandbox.js';
import type { HeldBy } from './workflow-of.js';
import type { World } from './world.js';

export interface Gate {
  readonly container: Container;
  readonly sandbox: RecordingSandbox;
}

/** A workflow that is ready, and the gate in front of it. */
export interface Opened {
  readonly workflow: Workflow;
  readonly inputs: InputValues;
  readonly gate: Gate;
}

interface GateOptions {
  readonly heldBy: HeldBy;
  readonly approval: ApprovalGate;
  /** Takes a part of the gate away, to see that this is noticed. */
  readonly weaken?: Weaken | undefined;
}

export type Weaken = (container: Container, world: World) => void;

/** One for all of them: what it costs is made of the schemas, which hardly differ. */
const validator = new AjvArgumentValidator();

/** The whole gate as `toolgate call` wires it, except for who is asked, what names lead to, and which layer holds. */
export async function openGate(
  kase: AttackCase,
  world: World,
  { heldBy, approval, weaken }: GateOptions,
): Promise<Gate> {
  const container = await createContainer({ journal: 'file', workspace: world.root });
  container.rebind<ArgumentValidator>(TOKENS.ArgumentValidator).toConstantValue(validator);
  container.rebind<ApprovalGate>(TOKENS.ApprovalGate).toConstantValue(approval);
  const network = new GuardedNetworkAccess({ lookup: world.internet.lookup });
  container.rebind<NetworkAccess>(TOKENS.NetworkAccess).toConstantValue(network);
  weaken?.(container, world);
  const isKernel = heldBy === 'kernel' && !world.kernelIsMissing;
  const loose = weaken ? container.get<Sandbox>(TOKENS.Sandbox) : new ProcessSandbox();
  const inner = isKernel ? await kernelSandbox(world.internet) : loose;
  const sandbox = new RecordingSandbox(inner);
  container.rebind<Sandbox>(TOKENS.Sandbox).toConstantValue(sandbox);
  if (isAboutFailingAudit(kase)) breakAudit(container);
  return { container, sandbox };
}

/** Such a case says so only in words. */
export function isAboutFailingAudit({ area, why }: AttackCase): boolean {
  return area === 'log' && /sink failing/.test(why);
}

/** Something stands where the trail would be, so that the real log cannot open it. */
function breakAudit(container: Container): void {
  const log = container.get<AuditLog>(TOKENS.AuditLog);
  container.rebind<AuditLog>(TOKENS.AuditLog).toConstantValue({
    open: (run) => {
      mkdirSync(join(run.folder ?? '', 'audit.jsonl'));
      return log.open(run);
    },
  });
}
