import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GuardedNetworkAccess } from '../../../src/infrastructure/sandbox/guarded-network-access.js';
import { KernelFixture } from './kernel-fixture.js';

const NODE = process.execPath;

describe('a confined process with hosts', () => {
  const servers = ['listed', 'other'].map((name) => createServer((_, response) => response.end(name)));
  const network = new GuardedNetworkAccess({ lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
  let fixture: KernelFixture;
  let warmFixture: KernelFixture;
  let ports: number[];
  const permissions = () => ({ hosts: [`listed.test:${ports[0]}`], privateHosts: ['127.0.0.1'] });

  beforeAll(async () => {
    fixture = new KernelFixture(0, { network });
    warmFixture = new KernelFixture(1, { network });
    ports = await Promise.all(servers.map(listen));
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    await Promise.all([fixture.sandbox.close(), warmFixture.sandbox.close()]);
    fixture.remove();
    warmFixture.remove();
  });

  it('reaches a listed host through the proxy', async () => {
    const { output, enforcement } = await fixture.shell(
      `curl -sS http://listed.test:${ports[0]}/`,
      permissions(),
    );
    expect(output).toBe('listed');
    expect(enforcement.network).toBe('kernel');
  });

  it('reaches no other, and its result says what was refused', async () => {
    const { output, enforcement } = await fixture.shell(
      `curl -sS http://other.test:${ports[1]}/; curl -sS http://listed.test:${ports[1]}/`,
      permissions(),
    );
    expect(output).not.toMatch(/^other/m);
    expect(output).toContain(`[toolgate: network: "other.test" on port ${ports[1]} is refused`);
    expect(enforcement.reasons.filter((reason) => reason.startsWith('network: '))).toHaveLength(2);
  });

  it('cannot go round the proxy', async () => {
    const direct = `require('net').connect(${ports[0]}, '127.0.0.1').on('connect', () => console.log('out')).on('error', (e) => console.log(e.code))`;
    expect(await fixture.output(`${NODE} -e "${direct}"`, permissions())).toBe('ECONNREFUSED\n');
  });

  it('gets nothing of the channel that its listener came through', async () => {
    const output = await fixture.output('ls -l /proc/self/fd; env | grep NODE_CHANNEL', permissions());
    expect(output).toContain('/proc/');
    expect(output).not.toMatch(/ (?:[3-9]|\d\d+) -> socket:|NODE_CHANNEL/);
  });

  it('has no proxy where no host is listed', async () => {
    expect(await fixture.output('env | grep -i proxy; echo none')).toBe('none\n');
  });

  it('plans with the names of all variables it will have', async () => {
    const policy = fixture.workspacePolicy(permissions());
    const plan = await fixture.sandbox.plan(policy, { kind: 'argv', argv: ['true'] });
    expect(plan.confinement?.network).toBe('proxy');
    expect(plan.env).toEqual(expect.arrayContaining(['HOME', 'HTTPS_PROXY', 'http_proxy']));
  });

  it('waits warm with its proxy, and leaves no socket behind', async () => {
    const policy = warmFixture.workspacePolicy(permissions());
    const command = `curl -sS http://listed.test:${ports[0]}/`;
    const first = await warmFixture.shellWith(policy, command);
    const before = countSockets();
    for (let call = 0; call < 5; call++) {
      expect((await warmFixture.shellWith(policy, command)).output).toBe(first.output);
    }
    await warmFixture.sandbox.close();
    expect(countSockets()).toBeLessThanOrEqual(before);
  });
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function countSockets(): number {
  return readdirSync('/proc/self/fd').length;
}
