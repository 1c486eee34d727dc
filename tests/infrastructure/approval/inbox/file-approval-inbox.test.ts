import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ApprovalDecision } from '../../../../src/domain/approval.js';
import { FileApprovalInbox } from '../../../../src/infrastructure/approval/inbox/file-approval-inbox.js';
import { fileNameOf } from '../../../../src/infrastructure/approval/inbox/inbox-file.js';
import { InboxFixture } from '../../../support/inbox-fixture.js';

const YES: ApprovalDecision = { kind: 'approved', planHash: 'hash-1', scope: 'once', source: 'user' };
const NO: ApprovalDecision = { kind: 'denied', reason: 'not today' };

function lasting(): AbortSignal {
  return new AbortController().signal;
}

describe('FileApprovalInbox', () => {
  it('gives an answer to whoever looks for it later, and keeps it', async () => {
    const run = new InboxFixture();
    expect(await run.open().find(run.question)).toBeUndefined();
    expect(await run.open().leave(run.question, YES)).toBe('left');
    expect(await run.open().find(run.question)).toEqual(YES);
    expect(await run.open().find(run.question)).toEqual(YES);
  });

  it('keeps the first answer of many that are given at once', async () => {
    const run = new InboxFixture();
    const given = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        run.open().leave(run.question, { kind: 'denied', reason: String(index) }),
      ),
    );
    const first = given.indexOf('left');
    expect(given.filter((each) => each === 'left')).toHaveLength(1);
    expect(await run.open().find(run.question)).toEqual({ kind: 'denied', reason: String(first) });
    expect(readdirSync(run.files)).toEqual([fileNameOf(run.question)]);
  });

  it('takes an answer to another plan, or another question, for none', async () => {
    const run = new InboxFixture();
    await run.open().leave({ ...run.question, planHash: 'hash-2' }, YES);
    await run.open().leave({ ...run.question, effectId: 'fix/1/2/review' }, YES);
    expect(await run.open().find(run.question)).toBeUndefined();
    expect(await run.open().leave(run.question, NO)).toBe('left');
  });

  it('wakes whoever waits, each for their own question', async () => {
    const run = new InboxFixture();
    const inbox = run.open();
    const questions = ['1', '2', '3'].map((call) => ({ ...run.question, effectId: `fix/1/${call}/review` }));
    const waiting = questions.map((question) => inbox.wait(question, { signal: lasting() }));
    for (const [index, question] of [...questions.entries()].reverse()) {
      await run.open().leave(question, { kind: 'denied', reason: `no ${index}` });
    }
    expect(await Promise.all(waiting)).toEqual([0, 1, 2].map((n) => ({ kind: 'denied', reason: `no ${n}` })));
  });

  it('finds an answer that was there before anybody waited', async () => {
    const run = new InboxFixture();
    await run.open().leave(run.question, NO);
    expect(await run.open().wait(run.question, { signal: lasting() })).toEqual(NO);
  });

  it('is for its owner only', async () => {
    const run = new InboxFixture();
    await run.open().leave(run.question, NO);
    expect(statSync(run.files).mode & 0o777).toBe(0o700);
    expect(statSync(join(run.files, fileNameOf(run.question))).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['half a file', '{"effectId":"fix/1/1/rev'],
    ['no object', '"yes"'],
    ['an answer to another question under this name', '{"effectId":"x","planHash":"hash-1","decision":{}}'],
    ['nothing', ''],
  ])('takes %s for no answer', async (_, text) => {
    const run = new InboxFixture();
    mkdirSync(run.files);
    writeFileSync(join(run.files, fileNameOf(run.question)), text);
    expect(await run.open().find(run.question)).toBeUndefined();
  });

  it.each([
    ['that others could have written', (path: string) => chmodSync(path, 0o666)],
    ['of another user', (path: string) => chownSync(path, 65534, 65534)],
  ])('takes a file %s for none', async (_, spoil) => {
    const run = new InboxFixture();
    await run.open().leave(run.question, YES);
    const path = join(run.files, fileNameOf(run.question));
    try {
      spoil(path);
    } catch {
      // Only root can give a file away; then there is nothing to be seen here.
      return;
    }
    expect(await run.open().find(run.question)).toBeUndefined();
  });

  it('does not follow a link to an answer that is kept elsewhere', async () => {
    const run = new InboxFixture();
    const other = new InboxFixture();
    await other.open().leave(other.question, YES);
    const name = fileNameOf(run.question);
    mkdirSync(run.files);
    symlinkSync(join(other.files, name), join(run.files, name));
    expect(await run.open().find(run.question)).toBeUndefined();
  });

  it('has nothing for a run in memory, nor for one that is not there', async () => {
    const { question } = new InboxFixture();
    const memory = new FileApprovalInbox({ inspect: async () => ({ isHeld: true }) }, { now: () => 1 });
    expect(await memory.find(question)).toBeUndefined();
    await expect(memory.leave(question, YES)).rejects.toMatchObject({ code: 'USER.RUN.NOT_FOUND' });
    expect(await new InboxFixture().open().find({ ...question, runId: 'other' })).toBeUndefined();
  });
});
