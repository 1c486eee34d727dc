import type { AttackCase } from './attack-case.js';
import { type Evidence, lastCall } from './evidence.js';
import { toolNameOf } from './workflow-of.js';
import type { World } from './world.js';

const PUBLIC = /^93\.184\.216\.34 (?:80|443)$/;

/**
 * What was connected to and should not have been. A case with a server in it, and a process behind our own proxy, may
 * reach the listed hosts at the addresses that were checked; everybody else nothing at all.
 */
export function connectionProblem(kase: AttackCase, evidence: Evidence, world: World): string | undefined {
  const isProcess = toolNameOf(kase) === 'shell';
  const mayReach = isProcess || world.internet.isServing;
  const odd = evidence.connections.filter((connection) => !(mayReach && PUBLIC.test(connection)));
  if (odd.length > 0) return `connected to ${odd.join(', ')}`;
  // What a process reached by itself nobody here saw; but it can have had an answer only from our proxy, which says no.
  const { success = false, output = '' } = lastCall(evidence)?.result ?? {};
  const isAnswered = isProcess && kase.must === 'deny' && success && evidence.connections.length === 0;
  return isAnswered && !/^toolgate: /m.test(output) ? `a process got an answer: ${output}` : undefined;
}
