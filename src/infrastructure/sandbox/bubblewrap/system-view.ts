import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { statOf } from './folder-cache.js';
import type { Mount } from './mount-plan.js';

/** What every sandbox shows of the system, whatever the policy: programs and libraries, and no configuration of the host's. */
export interface SystemView {
  readonly mounts: readonly Mount[];
  /** Small files that are copied in, not mounted: each mount makes the next one slower. */
  readonly files: readonly SystemFile[];
}

interface SystemFile {
  readonly path: string;
  readonly content: Buffer;
}

const PROGRAM_PLACES = ['/usr', '/nix/store', '/gnu/store'];
const OLD_PLACES = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** Neither keys nor passwords: not all of /etc/ssl, for one. */
const SHARED_FOLDERS = [
  '/etc/alternatives',
  '/etc/ssl/certs',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust/extracted',
  '/etc/crypto-policies',
];
const SHARED_FILES = ['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/localtime', '/etc/ssl/openssl.cnf'];
const MAX_FILE_BYTES = 1024 * 1024;

let view: SystemView | undefined;

/** The system as this host has it, looked at once. */
export function systemView(): SystemView {
  view ??= {
    mounts: [
      ...PROGRAM_PLACES.flatMap(asFolder),
      ...OLD_PLACES.flatMap(asOnHost),
      ...SHARED_FOLDERS.flatMap(asFolder),
    ],
    files: [...SHARED_FILES.flatMap(asFile), ...ownFiles()],
  };
  return view;
}

function asFolder(path: string): readonly Mount[] {
  return statOf(path)?.isDirectory() ? [{ kind: 'read', path }] : [];
}

/** `/bin` is a link to `/usr/bin` on most systems, and a folder of its own on others. */
function asOnHost(path: string): readonly Mount[] {
  const stat = statOf(path);
  if (stat?.isSymbolicLink()) return [{ kind: 'link', path, target: readlinkSync(path) }];
  return stat?.isDirectory() ? [{ kind: 'read', path }] : [];
}

function asFile(path: string): readonly SystemFile[] {
  try {
    lstatSync(path);
    const content = readFileSync(path);
    return content.length <= MAX_FILE_BYTES ? [{ path, content }] : [];
  } catch {
    return [];
  }
}

/** Users and names without those of the host. */
function ownFiles(): readonly SystemFile[] {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  const user = uid === 0 ? [] : [`user:x:${uid}:${gid}::/tmp:/bin/sh`];
  const group = gid === 0 ? [] : [`user:x:${gid}:`];
  const texts: Readonly<Record<string, readonly string[]>> = {
    '/etc/passwd': ['root:x:0:0::/tmp:/bin/sh', ...user, 'nobody:x:65534:65534::/:/usr/sbin/nologin'],
    '/etc/group': ['root:x:0:', ...group, 'nogroup:x:65534:'],
    '/etc/hosts': ['127.0.0.1 localhost sandbox', '::1 localhost'],
    '/etc/nsswitch.conf': ['passwd: files', 'group: files', 'hosts: files dns', 'services: files'],
  };
  return Object.entries(texts).map(([path, lines]) => ({
    path,
    content: Buffer.from(`${lines.join('\n')}\n`),
  }));
}
