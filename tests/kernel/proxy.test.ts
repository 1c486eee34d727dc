import type { ChildProcess } from 'node:child_process';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NO_PERMISSIONS } from '../../src/domain/restrictions.js';
import { GuardedNetworkAccess } from '../../src/infrastructure/sandbox/guarded-network-access.js';
import { EgressProxy } from '../../src/infrastructure/sandbox/proxy/egress-proxy.js';
import { listenPrologue } from '../../src/infrastructure/sandbox/proxy/listen-script.js';
import { proxyVariables } from '../../src/infrastructure/sandbox/proxy/proxy-variables.js';
import { receiveListener } from '../../src/infrastructure/sandbox/proxy/receive-listener.js';
import { finished, startBare } from './bare-bwrap.js';

const NEVER = new AbortController().signal;
const NODE = process.execPath;

const listed = createServer((request, response) => response.end(`listed ${request.headers.host}`));
const other = createServer((_, response) => response.end('other'));

async function portOf(server: HttpServer): Promise<number> {
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly denied: readonly string[];
}

/** Runs a program in an empty network namespace whose only way out is the proxy. */
async function run(argv: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const gate = `${listenPrologue({ node: NODE, channel: 3 })}; read -r go || exit 125; exec "$@" </dev/null`;
  const child = startBare(['/bin/sh', '-c', gate, 'sh', ...argv], {
    env: { ...proxyVariables(), ...env },
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  const ended = finished(child);
  const denied: string[] = [];
  const proxy = new EgressProxy({
    network: new GuardedNetworkAccess({ lookup: async () => [{ address: '127.0.0.1', family: 4 }] }),
    permissions: {
      ...NO_PERMISSIONS,
      hosts: [`listed.test:${await portOf(listed)}`],
      privateHosts: ['127.0.0.1'],
    },
    onDenied: (host) => denied.push(host),
  });
  try {
    proxy.serve(await receiveListener(child, { signal: NEVER }));
    openGate(child);
    return { ...(await ended), denied };
  } finally {
    await proxy.close();
  }
}

function openGate(child: ChildProcess): void {
  child.stdin?.end('\n');
}

describe('EgressProxy for a process without a network', () => {
  beforeAll(async () => {
    await Promise.all([portOf(listed), portOf(other)]);
  });
  afterAll(() => {
    listed.close();
    other.close();
  });

  it('lets curl reach the listed host', async () => {
    const port = await portOf(listed);
    const { output } = await run(['curl', '-sS', `http://listed.test:${port}/`]);
    expect(output).toBe(`listed listed.test:${port}`);
  });

  it('lets curl reach it through a tunnel', async () => {
    const port = await portOf(listed);
    const { output } = await run(['curl', '-sS', '--proxytunnel', `http://listed.test:${port}/`]);
    expect(output).toBe(`listed listed.test:${port}`);
  });

  it('lets Node reach it', async () => {
    const script = `require('node:http').get({ host: '127.0.0.1', port: 3128, path: process.argv[1] }, (r) => r.pipe(process.stdout))`;
    const port = await portOf(listed);
    const { output } = await run([NODE, '-e', script, `http://listed.test:${port}/`]);
    expect(output).toBe(`listed listed.test:${port}`);
  });

  it('refuses a host that is not listed, and says so', async () => {
    const { output, denied } = await run(['curl', '-sS', `http://127.0.0.1:${await portOf(other)}/`]);
    expect(output).toContain('not one of the hosts');
    expect(denied).toEqual(['127.0.0.1']);
  });

  it('is the only way out', async () => {
    const direct = `http://127.0.0.1:${await portOf(other)}/`;
    const { code, output } = await run(['curl', '-sS', '--noproxy', '*', direct]);
    expect({ code, output }).toEqual({ code: 7, output: expect.stringContaining("Couldn't connect") });
  });

  it('cannot be replaced from inside', async () => {
    const script = `require('node:net').createServer().on('error', (e) => console.log(e.code)).listen(3128, '127.0.0.1')`;
    expect((await run([NODE, '-e', script])).output).toBe('EADDRINUSE\n');
  });

  it('leaves no trace of its channel', async () => {
    // Standard error is the one socket that is left: input is empty, and output is the pipe to grep.
    const { output } = await run([
      'bash',
      '-c',
      'env | grep -c CHANNEL; ls -l /proc/self/fd | grep -c socket:',
    ]);
    expect(output).toBe('0\n1\n');
  });

  it('does not start the listener with the environment of the tool', async () => {
    const { output, code } = await run(['/bin/true'], { NODE_OPTIONS: '--require=/nonexistent/evil.js' });
    expect({ output, code }).toEqual({ output: '', code: 0 });
  });
});
