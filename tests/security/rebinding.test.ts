import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GuardedNetworkAccess } from '../../src/infrastructure/sandbox/guarded-network-access.js';
import { httpTool } from '../../src/infrastructure/tools/http-tool.js';
import { RoutingToolExecutor } from '../../src/infrastructure/tools/routing-executor.js';
import type { PlannedCall } from '../../src/ports/tool-executor.js';
import { FakeToolCalls } from '../support/fake-tool-call.js';
import { FakeToolServer } from '../support/fake-tool-server.js';

const PUBLIC = '93.184.216.34';
const HERE = '127.0.0.1';

/** The real check in front of a real server, and a DNS that changes its answers. */
describe('a name that answers differently later', () => {
  let server: FakeToolServer;
  let answers: Record<string, string[]>;
  let asked: string[];
  beforeAll(async () => {
    server = await FakeToolServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    server.seen.length = 0;
    asked = [];
    answers = {};
  });

  /** Each look-up takes the next answer; the last one stays. */
  const lookup = async (host: string) => {
    asked.push(host);
    const list = answers[host] ?? [PUBLIC];
    const address = (list.length > 1 ? list.shift() : list[0]) ?? PUBLIC;
    return [{ address, family: 4 }];
  };

  async function call(path: string, change: (planned: PlannedCall) => PlannedCall = (planned) => planned) {
    const fakes = new FakeToolCalls();
    const executor = new RoutingToolExecutor({
      sandbox: fakes.sandbox,
      files: fakes.files,
      network: new GuardedNetworkAccess({ lookup }),
      clock: { now: () => 0, elapsed: () => 0, newRunId: () => 'run' },
    });
    const port = new URL(server.url('/')).port;
    const hosts = [`meant.test:${port}`, `evil.test:${port}`];
    const entry = fakes.entry(httpTool(), { permissions: { hosts, privateHosts: ['meant.test'] } });
    const args = { url: server.url(path.slice(path.indexOf('/')), path.slice(0, path.indexOf('/'))) };
    const { signal } = new AbortController();
    const planned = await executor.plan(
      entry,
      { id: '1', tool: 'http_request', arguments: args },
      { signal },
    );
    return executor.execute(entry, change(planned), fakes.context());
  }

  it('is checked again after the approval', async () => {
    answers['evil.test'] = [PUBLIC, HERE];
    expect(await call('evil.test/')).toMatchObject({
      success: false,
      error: { code: 'EXECUTION.SANDBOX.DENIED' },
    });
    expect(server.seen).toEqual([]);
  });

  it('is asked once for a connection, so no answer comes between check and use', async () => {
    answers['meant.test'] = [HERE];
    server.routes.set('/', (response) => response.end('arrived'));
    expect((await call('meant.test/')).output).toContain('arrived');
    expect(asked).toEqual(['meant.test', 'meant.test']);
  });

  it('is checked as the target of a redirect', async () => {
    answers['meant.test'] = [HERE];
    answers['evil.test'] = [HERE];
    server.routes.set('/', (response) =>
      response.writeHead(302, { location: server.url('/inside', 'evil.test') }).end(),
    );
    expect(await call('meant.test/')).toMatchObject({ error: { code: 'EXECUTION.SANDBOX.DENIED' } });
    expect(server.seen.map(({ url }) => url)).toEqual(['/']);
  });

  it('is not asked for a request that is another than the approved one', async () => {
    answers['meant.test'] = [HERE];
    const result = await call('meant.test/', ({ plan, planHash }) => ({
      plan: { ...plan, action: { kind: 'http', method: 'DELETE', url: server.url('/', 'meant.test') } },
      planHash,
    }));
    expect(result.error?.code).toBe('EXECUTION.APPROVAL.STALE');
    expect(server.seen).toEqual([]);
  });
});
