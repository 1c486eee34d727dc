import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer, type ListenOptions, type NetConnectOpts, type Server } from 'node:net';
import type { ProcessCommand } from '../../../ports/sandbox.js';
import type { Stage } from './stage.js';
import type { PreparedTrial, Trial } from './trial.js';

/** Answers to anybody, is always there, and is an address, so that no name has to be looked up. */
const PUBLIC = { host: '1.1.1.1', port: 443 };
const CONNECT_MS = 3_000;

/** Run by the same Node that runs us, which every sandbox has to offer. */
const CONNECT = `const [mark, target] = process.argv.slice(1);
const end = (word) => { require('node:fs').writeFileSync(mark, word); process.exit(0); };
require('node:net').connect(JSON.parse(target))
  .on('connect', () => end('connected')).on('error', ({ code }) => end(String(code)));
setTimeout(end, ${CONNECT_MS}, 'no answer');`;

/** What a process could say to others, here and elsewhere. */
export const NETWORK_TRIALS: readonly Trial[] = [
  {
    id: 'connect-loopback',
    tried: 'connect to a service of this machine',
    holder: 'network',
    prepare: async (stage) => listening(stage, 'connect-loopback', { host: '127.0.0.1', port: 0 }),
  },
  {
    id: 'connect-unix',
    tried: 'connect to a unix socket in the workspace',
    holder: 'network',
    prepare: async (stage) => listening(stage, 'connect-unix', { path: stage.inWorkspace('s') }),
  },
  {
    id: 'connect-public',
    tried: 'connect to a public address',
    holder: 'network',
    prepare: (stage) => {
      const isReachable = canReachPublic();
      return {
        command: connecting(stage, 'connect-public', PUBLIC),
        look: async () => {
          if (wordAt(stage.markOf('connect-public')) === 'connected') {
            return { seen: 'effect', detail: 'it was connected' };
          }
          if (await isReachable) return stage.nothingSeen('connect-public');
          return { seen: 'inapplicable', detail: 'this machine reaches none itself' };
        },
      };
    },
  },
];

/** The verdict is the listener's: it saw a connection, or it did not. */
async function listening(stage: Stage, id: string, where: ListenOptions): Promise<PreparedTrial> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined).destroy();
  });
  await listen(server, where);
  const address = server.address();
  const target = where.path ? { path: where.path } : { ...(address as { port: number }), host: where.host };
  return {
    command: connecting(stage, id, target as NetConnectOpts),
    look: () =>
      connections > 0 ? { seen: 'effect', detail: 'the connection arrived' } : stage.nothingSeen(id),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function listen(server: Server, where: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(where, resolve);
  });
}

function connecting(stage: Stage, id: string, target: NetConnectOpts): ProcessCommand {
  return {
    kind: 'argv',
    argv: [process.execPath, '-e', CONNECT, stage.markOf(id), JSON.stringify(target)],
  };
}

function wordAt(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Without this an unplugged cable would look like a sandbox. */
function canReachPublic(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...PUBLIC, timeout: CONNECT_MS });
    const end = (isReachable: boolean) => {
      socket.destroy();
      resolve(isReachable);
    };
    socket
      .on('connect', () => end(true))
      .on('error', () => end(false))
      .on('timeout', () => end(false));
  });
}
