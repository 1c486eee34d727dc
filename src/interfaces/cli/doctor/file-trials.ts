import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Stage } from './stage.js';
import type { Sight, Trial } from './trial.js';

const WRITE_EACH = `mark=$1; shift
for file; do mkdir -p "\${file%/*}" && echo escaped > "$file"; done
: > "$mark"`;

const READ_EACH = `mark=$1; shift
for file; do cat "$file"; done
: > "$mark"`;

const REMOUNT_AND_WRITE = `command -v mount > /dev/null || exit 1
mount -o remount,rw,bind "$2"
mount -o remount,rw "$2"
echo escaped > "$2/written"
: > "$1"`;

/** What a process could do to files that are none of its business. */
export const FILE_TRIALS: readonly Trial[] = [
  {
    id: 'write-outside',
    tried: 'write a file outside of the workspace',
    holder: 'fsWrite',
    prepare: (stage) => {
      const files = stage.outsidePaths('written');
      return {
        command: { kind: 'script', script: WRITE_EACH, args: [stage.markOf('write-outside'), ...files] },
        look: () => written(files, 'write-outside', stage),
      };
    },
  },
  {
    id: 'read-outside',
    tried: 'read a file outside of the workspace',
    holder: 'fsRead',
    prepare: (stage) => {
      const files = stage.outsidePaths('secret').filter((file) => plant(file, stage.secret));
      return {
        command: { kind: 'script', script: READ_EACH, args: [stage.markOf('read-outside'), ...files] },
        look: ({ output }) =>
          output.includes(stage.secret)
            ? { seen: 'effect', detail: 'it was read' }
            : stage.nothingSeen('read-outside'),
      };
    },
  },
  {
    id: 'remount',
    tried: 'make a read-only folder writable by mounting it again',
    holder: 'fsWrite',
    prepare: (stage) => {
      const args = [stage.markOf('remount'), stage.readOnly];
      return {
        command: { kind: 'script', script: REMOUNT_AND_WRITE, args },
        look: () => written([join(stage.readOnly, 'written')], 'remount', stage),
      };
    },
  },
];

function written(files: readonly string[], id: string, stage: Stage): Sight {
  const found = files.filter((file) => existsSync(file));
  if (found.length === 0) return stage.nothingSeen(id);
  return {
    seen: 'effect',
    detail: `it was written (in ${found.map((file) => dirname(file)).join(' and ')})`,
  };
}

/** A home that cannot be written, or is not there, has nothing to steal. */
function plant(file: string, secret: string): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, secret, { mode: 0o600, flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}
