import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { describeApprovalGateContract } from '../../../contracts/approval-gate.contract.js';
import { requestFor } from '../../../support/fake-terminal.js';
import { PageFixture } from '../../../support/page-fixture.js';

let fixture: PageFixture;

beforeEach(async () => {
  fixture = await PageFixture.open();
});

afterEach(() => fixture.page.close('it ended'));

describeApprovalGateContract('an approval page', () => ({
  gate: fixture.page.gate,
  answer: async () => {
    const [{ id, plan_hash } = { id: '', plan_hash: '' }] = await fixture.waiting();
    expect(await fixture.answer(id, { plan_hash, answer: 'once' })).toMatchObject({ status: 200 });
  },
}));

const GIT = requestFor({
  arguments: { command: 'git status -s' },
  action: {
    ...{ kind: 'process', argv: ['/usr/bin/git', 'status', '-s'], cwd: '/home/me', script: 'git status -s' },
    commands: [{ name: 'git', path: '/usr/bin/git', args: ['status', '-s'] }],
  },
});

describe('openApprovalPage', () => {
  it.each([
    [
      { answer: 'once', by: ' Anna ' },
      { kind: 'approved', scope: 'once', by: 'Anna' },
    ],
    [{ answer: 'run' }, { kind: 'approved', scope: 'run' }],
    [
      { answer: 'always', rule: true },
      { scope: 'always', rule: { command: ['git', 'status'] } },
    ],
    [
      { answer: 'edit', arguments: { command: 'ls' } },
      { kind: 'approved', arguments: { command: 'ls' } },
    ],
    [
      { answer: 'deny', reason: 'not today' },
      { kind: 'denied', reason: 'not today' },
    ],
    [{ answer: 'abort' }, { kind: 'abort', reason: expect.any(String) }],
  ])('makes a decision of %j', async (answer, decision) => {
    const asked = fixture.ask(GIT);
    const { status } = await fixture.answer(await fixture.firstId(), { plan_hash: GIT.planHash, ...answer });
    expect({ status, decision: await asked }).toMatchObject({ status: 200, decision });
  });

  it('shows one question whole, when somebody looks', async () => {
    void fixture.ask(GIT);
    const id = await fixture.firstId();
    const { text } = await fixture.send(`/api/waiting/${id}`, { headers: fixture.authorization });
    expect(JSON.parse(text)).toMatchObject({
      ...{
        id,
        run_id: 'run',
        call_id: 'call_001',
        tool: 'shell',
        plan_hash: 'hash-1',
        what: 'git status -s',
      },
      question: 'May the agent use "shell"?',
      answers: ['once', 'run', 'always', 'edit', 'deny', 'abort'],
      arguments: '{\n  "command": "git status -s"\n}',
    });
    const labels = JSON.parse(text).sections.map(({ label }: { label: string }) => label);
    expect(labels).toEqual(['runs', 'command line', 'in']);
  });

  it('tells everybody what is asked and answered, by whom, and how the run ended', async () => {
    const feed = await openFeed();
    const asked = fixture.ask(GIT);
    const id = await fixture.firstId();
    await fixture.answer(id, { plan_hash: 'hash-1', answer: 'deny', by: 'Anna' });
    await asked;
    const told = textOf(feed);
    await fixture.page.close('it succeeded');
    const events = (await told).trim().split('\n\n');
    expect(events.map((event) => event.split('\n')[0])).toEqual(
      ['snapshot', 'asked', 'settled', 'ended'].map((name) => `event: ${name}`),
    );
    expect(events[2]).toContain('"answer":"deny","by":"Anna"');
    fixture = await PageFixture.open();
  });

  it('listens on this machine only, under the name it was given', async () => {
    const other = await PageFixture.open({ host: '[::1]' });
    expect(other.page.link).toMatch(/^http:\/\/\[::1\]:\d+\/#[\w-]{43}$/);
    expect(await other.send('/')).toMatchObject({ status: 200 });
    await other.page.close('it ended');
  });

  it('says so when its port is taken', async () => {
    const port = Number(new URL(fixture.page.link).port);
    await expect(PageFixture.open({ port })).rejects.toMatchObject({ code: 'USER.ARGUMENT.INVALID' });
  });
});

async function openFeed(): Promise<IncomingMessage> {
  const { hostname, port } = new URL(fixture.page.link);
  const sent = request({ host: hostname, port, path: '/api/events', headers: fixture.authorization }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
}
