import { DeniedError, messageOf } from '../../../../domain/errors.js';
import { NO_PERMISSIONS } from '../../../../domain/restrictions.js';
import { BinaryResolver } from '../../binary-resolver.js';
import { tryOut } from '../probe.js';
import { filterFile } from '../shared-files.js';
import { strictConfinement, strictProgramsOf } from './strict-programs.js';

let trial: Promise<string | undefined> | undefined;

/** Refuses where a strict sandbox does not work, found out by starting one. Nothing ever runs less strictly instead. */
export async function requireStrict(): Promise<void> {
  trial ??= findProblem();
  const problem = await trial;
  if (problem === undefined) return;
  // Whatever it was may be put right before the next call.
  trial = undefined;
  throw new DeniedError(
    `The process is refused: strict cannot be held here: ${problem}`,
    'EXECUTION.SANDBOX.UNAVAILABLE',
  );
}

async function findProblem(): Promise<string | undefined> {
  if (!filterFile()) return `there is no filter of system calls for ${process.arch}`;
  try {
    const policy = { workspace: '/tmp', permissions: NO_PERMISSIONS, onUnavailable: 'deny' } as const;
    const programs = await strictProgramsOf(policy, BinaryResolver.for(policy));
    const result = await tryOut(strictConfinement(programs, { readRoots: [], writeRoots: [] }));
    return 'problem' in result ? result.problem : undefined;
  } catch (error) {
    return messageOf(error);
  }
}
