import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FileRememberedDecisions } from '../../../../src/infrastructure/journal/file-remembered-decisions.js';
import { type CliFixture, createCliFixture } from '../fixture.js';

let cli: CliFixture;
let store: FileRememberedDecisions;
const RULE = { tool: 'shell', rule: { command: ['git', 'status'] }, by: 'ada', at: 0, note: 'n' };

beforeEach(async () => {
  cli = await createCliFixture();
  store = new FileRememberedDecisions({ workspace: cli.workspace, env: { XDG_STATE_HOME: cli.state } });
});

afterEach(() => cli.remove());

describe('toolgate approvals', () => {
  it('lists what was approved for good, word for word', async () => {
    const { id } = await store.add(RULE);
    await store.add({ tool: 'write', planHash: 'ab', at: 0, note: '/w/a\x1b[2J' });
    const { code, out } = await cli.run('approvals', 'list');
    expect(code).toBe(0);
    expect(out).toContain(
      `${id}  shell  1970-01-01 00:00:00  ada  every call where the command begins with git status`,
    );
    expect(out).toContain('exactly this call: /w/a');
    expect(out).not.toContain('\x1b');
    const json = JSON.parse((await cli.run('approvals', 'list', '--output-format', 'json')).out);
    expect(json.approvals[0]).toMatchObject({
      id,
      tool: 'shell',
      width: 'rule',
      who: 'ada',
      rule: RULE.rule,
    });
  });

  it('says so where there is nothing', async () => {
    expect(await cli.run('approvals', 'list')).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('nothing'),
    });
  });

  it('takes one back, and none where one of them is unknown', async () => {
    const { id } = await store.add(RULE);
    expect(await cli.run('approvals', 'revoke', id, 'nope')).toMatchObject({ code: 1 });
    expect((await store.read()).decisions).toHaveLength(1);
    expect(await cli.run('approvals', 'revoke', id)).toMatchObject({ code: 0 });
    expect((await store.read()).decisions).toEqual([]);
  });

  it.each([['revoke'], ['grant', 'x'], ['list', 'x']])('refuses %s %s', async (...words) => {
    expect(await cli.run('approvals', ...words)).toMatchObject({ code: 1 });
  });
});
