import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { STAGE_LIMITS, type Stage } from './stage.js';
import type { Trial } from './trial.js';

const MIB = 1024 * 1024;
const TOO_MUCH = STAGE_LIMITS.memoryBytes + 64 * MIB;
const EATERS = 4;
/** Each alone is within the limit, all of them are not. */
const SHARE = STAGE_LIMITS.memoryBytes / EATERS + 32 * MIB;
const TOO_MANY = 2 * STAGE_LIMITS.pids;

/** dd fills its whole block before it writes any of it; a small one shows first that it can. */
const TAKE_MEMORY = `dd if=/dev/zero of=/dev/null bs=${MIB} count=1 && : > "$1"
dd if=/dev/zero of=/dev/null bs=${TOO_MUCH} count=1 && : > "$2"`;

/** Each holds its block until all have theirs: its first byte is read, the rest is not until "go". */
const TAKE_TOGETHER = `: > "$1"
eat() { dd if=/dev/zero bs=${SHARE} count=1 2> /dev/null; echo $? > "$1.ended"; }
hold() { head -c 1 > /dev/null; : > "$1.full"; while [ ! -e "$2.go" ]; do sleep 0.05; done; cat > /dev/null; }
for i in $(seq ${EATERS}); do eat "$2.$i" | hold "$2.$i" "$2" & done
n=0
while [ $n -lt 200 ] && [ "$(ls "$2".*.full 2> /dev/null | wc -l)" -lt ${EATERS} ]; do n=$((n + 1)); sleep 0.05; done
[ $n -lt 200 ] && : > "$2.all"
: > "$2.go"
wait`;

/** A child that runs leaves a file, and stays until the call is over. */
const FORK = `( : ) && : > "$1"
i=0
while [ $i -lt ${TOO_MANY} ]; do ( : > "$2.$i"; exec sleep 20 ) & i=$((i + 1)); done
n=0
while [ $n -lt 100 ] && [ "$(ls "$2".* | wc -l)" -lt ${TOO_MANY} ]; do n=$((n + 1)); sleep 0.02; done`;

/** What a process could take from everybody else. */
export const LIMIT_TRIALS: readonly Trial[] = [
  {
    id: 'memory',
    tried: 'take more memory than its limit',
    holder: 'memory',
    prepare: (stage) => {
      const proof = stage.inWorkspace('memory.taken');
      return {
        command: { kind: 'script', script: TAKE_MEMORY, args: [stage.markOf('memory'), proof] },
        look: () =>
          existsSync(proof) ? { seen: 'effect', detail: 'it was given' } : stage.nothingSeen('memory'),
      };
    },
  },
  {
    id: 'memory-together',
    tried: 'take more memory than its limit, in several processes',
    holder: 'memory',
    prepare: (stage) => {
      const name = stage.inWorkspace('eater');
      return {
        command: { kind: 'script', script: TAKE_TOGETHER, args: [stage.markOf('memory-together'), name] },
        look: () =>
          haveAllEaten(name)
            ? { seen: 'effect', detail: 'they were given it together' }
            : stage.nothingSeen('memory-together'),
      };
    },
  },
  {
    id: 'processes',
    tried: 'start more processes than its limit',
    holder: 'pids',
    prepare: (stage) => ({
      command: {
        kind: 'script',
        script: FORK,
        args: [stage.markOf('processes'), stage.inWorkspace('child')],
      },
      look: () => {
        const started = countChildren(stage);
        if (started <= STAGE_LIMITS.pids) return stage.nothingSeen('processes');
        return { seen: 'effect', detail: `${started} ran at once, where ${STAGE_LIMITS.pids} may` };
      },
    }),
  },
];

function countChildren({ workspace }: Stage): number {
  return readdirSync(workspace).filter((name) => name.startsWith('child.')).length;
}

function haveAllEaten(name: string): boolean {
  const ends = Array.from({ length: EATERS }, (_, index) => `${name}.${index + 1}.ended`);
  const isFed = (file: string) => existsSync(file) && readFileSync(file, 'utf8').trim() === '0';
  return existsSync(`${name}.all`) && ends.every(isFed);
}
