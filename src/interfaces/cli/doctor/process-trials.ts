import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { findProcesses, killProcesses } from './find-processes.js';
import type { Trial } from './trial.js';

const VARIABLE = 'TOOLGATE_DOCTOR_SECRET';

const UNSHARE = `command -v unshare > /dev/null || exit 1
unshare --user --map-root-user /bin/sh -c ': > "$1"' sh "$2"
: > "$1"`;

/** Prints nothing but what was planted: the variables of other processes are nobody's business, ours neither. */
const READ_ENVIRONMENTS = `{ env; cat /proc/[0-9]*/environ | tr '\\0' '\\n'; } | grep -a "^$2="
: > "$1"`;

/** Leaves its group, its session, its parent and its environment behind, and waits to be sure of it. */
const OUTLIVE = `leave=setsid
command -v setsid > /dev/null || leave=nohup
"$leave" env -i /bin/sh -c ': > "$1.up"; exec tail -f "$1"' sh "$2" < /dev/null > /dev/null 2>&1 &
n=0
while [ ! -e "$2.up" ] && [ $n -lt 200 ]; do n=$((n + 1)); sleep 0.02; done
[ -e "$2.up" ] && : > "$1"`;

/** What a process could do to other processes, or as one. */
export const PROCESS_TRIALS: readonly Trial[] = [
  {
    id: 'user-namespace',
    tried: 'become root in a user namespace of its own',
    holder: 'confinement',
    prepare: (stage) => {
      const proof = stage.inWorkspace('user-namespace.made');
      return {
        command: { kind: 'script', script: UNSHARE, args: [stage.markOf('user-namespace'), proof] },
        look: () =>
          existsSync(proof) ? { seen: 'effect', detail: 'it was made' } : stage.nothingSeen('user-namespace'),
      };
    },
  },
  {
    id: 'read-environment',
    tried: "read a secret from other processes' environment",
    holder: 'env',
    prepare: (stage) => {
      const decoy = startDecoy(stage.secret);
      // Ours too: what starts the sandbox must not hand its own variables in.
      process.env[VARIABLE] = stage.secret;
      return {
        command: {
          kind: 'script',
          script: READ_ENVIRONMENTS,
          args: [stage.markOf('read-environment'), VARIABLE],
        },
        look: ({ output }) => {
          if (output.includes(stage.secret)) return { seen: 'effect', detail: 'it was read' };
          if (decoy.pid !== undefined) return stage.nothingSeen('read-environment');
          return { seen: 'no attempt', detail: 'a process with a secret could not be started' };
        },
        close: () => {
          Reflect.deleteProperty(process.env, VARIABLE);
          decoy.kill('SIGKILL');
        },
      };
    },
  },
  {
    id: 'outlive-call',
    tried: 'start a process that outlives its call',
    holder: 'killTree',
    prepare: (stage) => {
      const beacon = stage.inWorkspace('beacon');
      return {
        command: {
          kind: 'script',
          script: `: > "$2"\n${OUTLIVE}`,
          args: [stage.markOf('outlive-call'), beacon],
        },
        look: async () => {
          if (await isSoonGone(beacon)) return stage.nothingSeen('outlive-call');
          return { seen: 'effect', detail: 'it was still there afterwards; doctor has ended it' };
        },
        close: () => killProcesses(beacon),
      };
    },
  },
];

const GONE_MS = 1_000;
const LOOK_MS = 20;

/** What is being killed as the call ends may be seen for another moment; a survivor stays. */
async function isSoonGone(text: string): Promise<boolean> {
  for (let waited = 0; waited < GONE_MS; waited += LOOK_MS) {
    if (findProcesses(text).length === 0) return true;
    await delay(LOOK_MS);
  }
  return false;
}

/** A process of this user that has a secret in its environment, and ends when we do. */
function startDecoy(secret: string): ChildProcess {
  const decoy = spawn('/bin/sh', ['-c', 'read -r _'], {
    env: { [VARIABLE]: secret },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  decoy.on('error', () => undefined);
  return decoy;
}
