import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CliFixture, createCliFixture } from '../fixture.js';

const WORKFLOW = `
name: publishing
inputs: [{ name: token, secret: true, default: none-at-all }]
tools:
  - name: publish
    builtin: write_file
    restrictions: { paths: ["site/**"] }
steps:
  - { name: edit, type: agent, provider: scripted, prompt: go, tools: [publish] }
`;

const SCRIPT = `
replies:
  - tool_calls:
      - { id: first, name: publish, arguments: { path: site/a.md, content: "a" } }
      - { id: second, name: publish, arguments: { path: site/b.md, content: "b" } }
  - text: done
`;

let cli: CliFixture;
let runId: string;

beforeEach(async () => {
  cli = await createCliFixture();
  await cli.write('flow.yaml', WORKFLOW);
  await cli.write('script.yaml', SCRIPT);
  const { code, out, err } = await cli.run(
    ...['run', 'flow.yaml', '--script', 'script.yaml', '--approvals', 'later', '--output-format', 'json'],
    ...['-i', 'token=sesame-open'],
  );
  expect({ code, status: JSON.parse(out).status }).toEqual({ code: 3, status: 'suspended' });
  runId = JSON.parse(out).run_id;
  expect(err).toContain(`answer with: toolgate approve ${runId} CALL`);
});

afterEach(() => cli.remove());

async function hashOf(call: string): Promise<string> {
  const { out } = await cli.run('approve', runId, call, '--show');
  return JSON.parse(out).waiting[0].plan_hash;
}

async function site(name: string): Promise<string | undefined> {
  return readFile(join(cli.workspace, 'site', name), 'utf8').catch(() => undefined);
}

async function allow(call: string) {
  return cli.run('approve', runId, call, '--yes', '--plan', (await hashOf(call)).slice(0, 16));
}

const RESUME = ['-i', 'token=sesame-open', '--output-format', 'json'];

describe('toolgate approve', () => {
  it('answers each call by itself, and resume runs exactly what was allowed', async () => {
    expect((await allow('second')).code).toBe(0);
    expect((await cli.run('approve', runId, 'first', '--deny', '--reason', 'not yet')).code).toBe(0);
    expect((await cli.run('runs')).out).toMatch(
      /publish \(first, denied: resume it\), publish \(second, approved/,
    );
    const { code, out } = await cli.run('resume', runId, ...RESUME);
    const [first, second] = JSON.parse(out).states.edit.tool_calls;
    expect(code).toBe(0);
    expect(first.result).toMatchObject({ success: false, output: 'Denied: not yet' });
    expect(second.result).toMatchObject({ success: true, approval: 'user' });
    expect([await site('a.md'), await site('b.md')]).toEqual([undefined, 'b']);
  });

  it('stays suspended until the last question is answered', async () => {
    await allow('first');
    expect(JSON.parse((await cli.run('resume', runId, ...RESUME)).out).status).toBe('suspended');
    expect([await site('a.md'), await site('b.md')]).toEqual([undefined, undefined]);
    await allow('second');
    expect(JSON.parse((await cli.run('resume', runId, ...RESUME)).out).status).toBe('success');
    expect([await site('a.md'), await site('b.md')]).toEqual(['a', 'b']);
  });

  it('shows what waits, with the plan, to whoever has no terminal', async () => {
    const shown = JSON.parse((await cli.run('approve', runId, '--show')).out).waiting;
    expect(shown).toMatchObject([
      {
        call_id: 'first',
        place: 'edit/1/1/review',
        plan: { tool: 'publish', action: { kind: 'write-file' } },
      },
      { call_id: 'second' },
    ]);
    const asked = await cli.run('approve', runId, 'first');
    expect(asked.code).toBe(1);
    expect(asked.err).toContain('There is no terminal');
  });

  it('takes the first answer only', async () => {
    await allow('first');
    const late = await cli.run('approve', runId, 'first', '--deny');
    expect(late).toMatchObject({ code: 1, err: expect.stringContaining('No call "first" waits') });
  });

  it.each([
    [['--yes'], 'USER.ARGUMENT.INVALID'],
    [['--yes', '--plan', 'f'.repeat(64)], 'USER.APPROVAL.STALE'],
    [['--yes', '--plan', ''], 'USER.APPROVAL.STALE'],
    [['--edit', '{}'], 'USER.ARGUMENT.INVALID'],
  ])('allows nothing with %j', async (flags, code) => {
    expect((await cli.run('approve', runId, 'first', ...flags)).err).toContain(`[${code}]`);
    expect(JSON.parse((await cli.run('approve', runId, '--show')).out).waiting).toHaveLength(2);
  });

  it('takes no yes for the plan of another call', async () => {
    const flags = ['--yes', '--plan', await hashOf('second')];
    expect((await cli.run('approve', runId, 'first', ...flags)).err).toContain('[USER.APPROVAL.STALE]');
  });

  it('needs the call to be named where several wait', async () => {
    const { code, err } = await cli.run('approve', runId, '--deny');
    expect(code).toBe(1);
    expect(err).toMatch(/Name the call\. What waits: .*\n {2}first {2}publish {2}plan [0-9a-f]{16}/);
    expect((await cli.run('approve', runId, 'third', '--deny')).err).toContain('No call "third" waits');
  });

  it('asks again about changed arguments, unless the policy lets them run', async () => {
    const edit = '{"path":"site/c.md","content":"c"}';
    const { code } = await cli.run(
      'approve',
      runId,
      'first',
      '--edit',
      edit,
      '--plan',
      await hashOf('first'),
    );
    expect(code).toBe(0);
    await cli.run('approve', runId, 'second', '--deny');
    await cli.run('resume', runId, ...RESUME);
    await allow('first');
    expect((await cli.run('resume', runId, ...RESUME)).code).toBe(0);
    expect([await site('a.md'), await site('c.md')]).toEqual([undefined, 'c']);
  });

  it('has nothing to answer in a run that is over', async () => {
    for (const call of ['first', 'second']) await cli.run('approve', runId, call, '--deny');
    await cli.run('resume', runId, ...RESUME);
    expect((await cli.run('approve', runId, 'first', '--deny')).err).toContain('[USER.RUN.FINISHED]');
  });

  it('knows runs by their beginning', async () => {
    expect((await cli.run('approve', runId.slice(0, 12), 'first', '--deny')).code).toBe(0);
    expect((await cli.run('approve', 'latest', 'second', '--deny')).code).toBe(0);
    expect((await cli.run('approve', 'nothing', 'first', '--deny')).err).toContain('[USER.RUN.NOT_FOUND]');
  });
});

describe('--approvals', () => {
  it.each([
    ['http://0.0.0.0:8080', 'http://127.0.0.1:PORT'],
    ['http://example.com:1', 'http://127.0.0.1:PORT'],
    ['https://127.0.0.1:1', 'http://127.0.0.1:PORT'],
    ['http://127.0.0.1:70000', 'There is no port above 65535'],
    ['x', 'http://127.0.0.1:PORT'],
  ])('refuses %s', async (where, hint) => {
    const { code, err } = await cli.run('run', 'flow.yaml', '--approvals', where);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(hint) });
  });

  it('prints the link of a page, takes answers on it, and says there how the run ended', async () => {
    let onLink = (_link: string): void => {};
    const opened = new Promise<string>((resolve) => {
      onLink = resolve;
    });
    const err = (text: string): void => {
      const [link] = /http:\S+/.exec(text) ?? [];
      if (link) onLink(link);
    };
    const ran = cli.runWith(
      { err },
      ...['run', 'flow.yaml', '--script', 'script.yaml', '--output-format', 'json'],
      ...['--approvals', 'http://127.0.0.1:0'],
    );
    const { origin, hash } = new URL(await opened);
    const headers = { authorization: `Bearer ${hash.slice(1)}`, 'content-type': 'application/json' };
    const events = await fetch(`${origin}/api/events`, { headers });
    for (const answer of ['deny', 'once']) {
      const { id, plan_hash } = await firstWaiting(origin, headers);
      const body = JSON.stringify({ plan_hash, answer });
      expect((await fetch(`${origin}/api/waiting/${id}`, { method: 'POST', headers, body })).status).toBe(
        200,
      );
    }
    expect((await ran).code).toBe(0);
    expect(await events.text()).toContain('event: ended\ndata: {"outcome":"it succeeded"}');
    expect([await site('a.md'), await site('b.md')]).toEqual([undefined, 'b']);
  });

  it('refuses to leave a single call open', async () => {
    const { err } = await cli.run('call', 'flow.yaml', 'publish', '--approvals', 'later');
    expect(err).toContain('A call from outside of a run cannot be continued later');
  });
});

/** The first question on a page, once there is one. */
async function firstWaiting(origin: string, headers: Readonly<Record<string, string>>) {
  for (;;) {
    const { waiting } = (await (await fetch(`${origin}/api/waiting`, { headers })).json()) as {
      readonly waiting: readonly { readonly id: string; readonly plan_hash: string }[];
    };
    if (waiting[0]) return waiting[0];
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
