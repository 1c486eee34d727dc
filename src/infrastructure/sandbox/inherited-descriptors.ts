import { openSync, readdirSync, readFileSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;

let inherited: readonly number[] | undefined;
let nothing: number | undefined;

/**
 * What to put at the descriptors above 2 of a process. Node passes on whatever its own parent left open for it,
 * be it a socket or a secret: each such number is covered with /dev/null.
 */
export function coverInherited(): readonly ('ignore' | number)[] {
  inherited ??= listInherited();
  if (inherited.length === 0) return [];
  nothing ??= openSync('/dev/null', 'r');
  const cover = nothing;
  const last = Math.max(...inherited);
  const leaking = new Set(inherited);
  return Array.from({ length: last - 2 }, (_, index) => (leaking.has(index + 3) ? cover : 'ignore'));
}

function listInherited(): readonly number[] {
  try {
    const open = readdirSync('/proc/self/fd').map(Number);
    return open.filter((descriptor) => descriptor > 2 && staysOpen(descriptor));
  } catch {
    return [];
  }
}

function staysOpen(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1');
    const flags = /^flags:\s*([0-7]+)/m.exec(info)?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    // The descriptor that listed the folder itself, closed again by now.
    return false;
  }
}
