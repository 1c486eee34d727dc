import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { FileRememberedDecisions } from '../../../src/infrastructure/journal/file-remembered-decisions.js';
import { workspaceFolder } from '../../../src/infrastructure/journal/state-folder.js';
import { describeRememberedDecisionsContract, RULE } from '../../contracts/remembered-decisions.contract.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

function open() {
  const base = temporaryFolder();
  const workspace = join(base, 'workspace');
  mkdirSync(workspace);
  const env = { XDG_STATE_HOME: join(base, 'state') };
  return { env, workspace, store: new FileRememberedDecisions({ workspace, env }) };
}

/** To another user; who may not do that becomes another user, as far as this process can tell. */
function giveAway(file: string): void {
  const own = process.getuid?.() ?? 0;
  if (own === 0) chownSync(file, 12345, 12345);
  else jest.spyOn(process, 'getuid').mockReturnValue(own + 1);
}

afterEach(() => {
  jest.restoreAllMocks();
});

describeRememberedDecisionsContract('FileRememberedDecisions', () => open().store);

describe('FileRememberedDecisions', () => {
  let opened: ReturnType<typeof open>;
  let file: string;
  beforeEach(async () => {
    opened = open();
    const { env, workspace, store } = opened;
    file = join(await workspaceFolder(join(env.XDG_STATE_HOME, 'toolgate'), workspace), 'approvals.yaml');
    await store.add(RULE);
  });

  const schema = () => JSON.parse(readFileSync('schema/approvals.schema.json', 'utf8'));
  const fitsSchema = (text: string) =>
    new Ajv2020({ strict: false }).compile(schema())(parse(text)) as boolean;

  it('is a file for people, which only its owner reads and writes', () => {
    expect(readFileSync(file, 'utf8')).toMatch(/^# What people said[\s\S]*width: rule\n[\s\S]*- git\n/);
    expect(fitsSchema(readFileSync(file, 'utf8'))).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  });

  it('is the same for every process of a workspace, and none of another', async () => {
    const { env, workspace } = opened;
    expect((await new FileRememberedDecisions({ workspace, env }).read()).decisions).toHaveLength(1);
    const other = join(workspace, 'other');
    mkdirSync(other);
    expect(await new FileRememberedDecisions({ workspace: other, env }).read()).toEqual({ decisions: [] });
  });

  it('writes nothing that it could not read again, which would cost all that is there', async () => {
    const { store } = opened;
    const odd = { ...RULE, rule: { arguments: { type: 'object' } } };
    await expect(store.add(odd)).rejects.toMatchObject({ code: 'SYSTEM.IO.WRITE_FAILED' });
    const long = { ...RULE, note: 'x'.repeat(1024 * 1024) };
    await expect(store.add(long)).rejects.toMatchObject({ code: 'SYSTEM.IO.WRITE_FAILED' });
    expect((await store.read()).decisions).toHaveLength(1);
  });

  it('loses nothing when several processes write at once', async () => {
    const stores = Array.from({ length: 4 }, () => new FileRememberedDecisions(opened));
    await Promise.all(stores.flatMap((store) => [store.add(RULE), store.add(RULE)]));
    expect((await opened.store.read()).decisions).toHaveLength(9);
  });

  it('keeps what was edited by hand', async () => {
    writeFileSync(file, readFileSync(file, 'utf8').replace('- status', '- log'));
    await opened.store.add(RULE);
    const { decisions } = await opened.store.read();
    expect(decisions.map((one) => 'rule' in one && one.rule.command?.[1])).toEqual(['log', 'status']);
  });

  const ENTRY = 'id: a, tool: t, scope: always, when: "2026-01-01"';
  it.each([
    ['approvals: [', 'Flow'],
    ['[]', 'no list `approvals`'],
    ['approvals: []\nmore: 1', 'unknown key "more"'],
    [`approvals: [{ ${ENTRY}, width: call, plan_hash: x, extra: 1 }]`, 'unknown key "extra"'],
    [`approvals: [{ ${ENTRY}, width: call }]`, 'needs `plan_hash`'],
    [`approvals: [{ ${ENTRY}, width: call, plan_hash: x, rule: { paths: [a] } }]`, 'no `rule`'],
    [`approvals: [{ ${ENTRY}, width: rule, rule: {} }]`, 'no condition'],
    [`approvals: [{ ${ENTRY}, width: rule, rule: { command: git } }]`, 'must be a list'],
    [`approvals: [{ ${ENTRY}, width: rule, rule: { comand: [git] } }]`, 'unknown key "comand"'],
    [`approvals: [{ ${ENTRY}, width: all }]`, 'width must be'],
    ['approvals: [{ id: a, tool: t, scope: run, width: call, plan_hash: x, when: x }]', 'scope must be'],
  ])('grants nothing and says why where it is broken: %s', async (text, problem) => {
    writeFileSync(file, text);
    const read = await opened.store.read();
    expect(read).toEqual({ decisions: [], problem: expect.stringContaining(problem) });
    expect(read.problem).toContain(file);
    await expect(opened.store.add(RULE)).rejects.toMatchObject({ code: 'SYSTEM.IO.WRITE_FAILED' });
    expect(readFileSync(file, 'utf8')).toBe(text);
    if (problem !== 'Flow') expect(fitsSchema(text)).toBe(false);
  });

  it.each([
    ['a pattern', `approvals: [{ ${ENTRY}, width: rule, rule: { paths: ["../x"] } }]`],
    ['a date', 'approvals: [{ id: a, tool: t, scope: always, when: soon, width: call, plan_hash: x }]'],
    [
      'an id',
      `approvals: [{ ${ENTRY}, width: call, plan_hash: x }, { ${ENTRY}, width: call, plan_hash: y }]`,
    ],
    ['an alias', `approvals: [&a { ${ENTRY}, width: call, plan_hash: x }, *a]`],
  ])('grants nothing for what no schema can tell: %s', async (_what, text) => {
    writeFileSync(file, text);
    expect(await opened.store.read()).toMatchObject({ decisions: [], problem: expect.any(String) });
  });

  it.each<readonly [string, () => void]>([
    ['others could have written it', () => chmodSync(file, 0o620)],
    ['everybody could have written it', () => chmodSync(file, 0o602)],
    ['others could have exchanged it', () => chmodSync(dirname(file), 0o777)],
    [
      'it is a link',
      () => {
        renameSync(file, `${file}.real`);
        symlinkSync(`${file}.real`, file);
      },
    ],
    [
      'it is a folder',
      () => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
    ['it is huge', () => writeFileSync(file, `#${'x'.repeat(2_000_000)}`)],
  ])('grants nothing where %s', async (_why, change) => {
    change();
    expect(await opened.store.read()).toEqual({
      decisions: [],
      problem: expect.stringContaining('is not used'),
    });
  });

  it('grants nothing where it belongs to somebody else', async () => {
    giveAway(file);
    expect(await opened.store.read()).toMatchObject({
      decisions: [],
      problem: expect.stringContaining('another user'),
    });
  });

  it('refuses a place inside of the workspace', async () => {
    const { workspace } = opened;
    const store = new FileRememberedDecisions({ workspace, env: { XDG_STATE_HOME: workspace } });
    expect(await store.read()).toMatchObject({
      decisions: [],
      problem: expect.stringContaining('inside the workspace'),
    });
    await expect(store.add(RULE)).rejects.toThrow('inside the workspace');
  });
});
