import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DeniedError } from '../../../../domain/errors.js';
import type { BwrapRequest } from '../bwrap-arguments.js';
import { isTrusted } from '../bwrap-binary.js';
import type { Root } from '../roots.js';
import { Stage } from './stage.js';
import { STAGE_SCRIPT } from './stage-script.js';

/** A program and its arguments. */
export interface Launch {
  readonly file: string;
  readonly argv: readonly string[];
}

interface StageRequest {
  readonly request: BwrapRequest;
  readonly roots: readonly Root[];
}

const PLACES = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];
const CAP_SYS_ADMIN = 1n << 21n;

/**
 * The same program, started behind a stage where the sandbox is to be strict. Every part of it becomes the next, so
 * that the process has one number from its start to its end.
 */
export function behindStage(launch: Launch, { request, roots }: StageRequest): Launch {
  const { confinement, system } = request;
  if (!confinement.strict) return launch;
  const stage = new Stage(confinement, system);
  const files = new Set(roots.filter(({ isFolder }) => !isFolder).map(({ path }) => path));
  const isFile = (path: string) => files.has(path);
  const targets = (of: (path: string) => boolean) =>
    stage.places.flatMap((path, index) => (of(path) ? [stage.targetOf(index)] : []));
  const script = [
    ...['/bin/sh', '-c', STAGE_SCRIPT, 'sh', findTool('mount'), findTool('mkdir')],
    ...[stage.folder, String(confinement.limits.scratchBytes)],
    [...stage.scratches, ...targets((path) => !isFile(path))].join(' '),
    targets(isFile).join(' '),
    String(stage.places.length),
    ...stage.places.flatMap((path, index) => [path, stage.targetOf(index)]),
  ];
  return inNamespace(script, [launch.file, ...launch.argv]);
}

/** Whoever may not mount gets a user namespace to do it in, and gives up all power over it before bwrap begins. */
function inNamespace(script: readonly string[], program: readonly string[]): Launch {
  const file = findTool('unshare');
  if (canMount()) return { file, argv: ['--mount', '--', ...script, ...program] };
  const namespaces = ['--user', '--mount', '--map-current-user', '--keep-caps', '--'];
  const powerless = [findTool('setpriv'), '--ambient-caps=-all', '--inh-caps=-all', '--'];
  return { file, argv: [...namespaces, ...script, ...powerless, ...program] };
}

function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const held = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? '0';
  return (BigInt(`0x${held}`) & CAP_SYS_ADMIN) !== 0n;
}

/** They run outside of the sandbox, so that only the system's own are taken. */
function findTool(name: string): string {
  for (const place of PLACES) {
    try {
      const path = join(place, name);
      if (isTrusted(realpathSync(path))) return path;
    } catch {
      // Not there.
    }
  }
  throw new DeniedError(
    `The process is refused: strict needs the program "${name}" of the system (package util-linux), and it is not there, or does not belong to root alone`,
    'EXECUTION.SANDBOX.UNAVAILABLE',
  );
}
