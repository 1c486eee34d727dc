import { describe, expect, it } from '@jest/globals';
import { prepareCall } from '../../src/application/prepare-call.js';
import type { ApprovalPolicy } from '../../src/domain/approval.js';
import { createPlan, type PlannedAction } from '../../src/domain/plan.js';
import { anyObject, directExecutor, toolOf } from '../support/loop-fixture.js';

/** Prepares a call of a file tool whose plan comes out at `planned`, whatever was asked for. */
function prepare(path: string, planned: string, approval: ApprovalPolicy) {
  const action: PlannedAction = { kind: 'read-file', path: planned };
  const entry = { ...toolOf('read'), approval };
  return prepareCall(
    { id: 'c1', name: 'read', arguments: { path } },
    {
      tools: new Map([['read', entry]]),
      executor: {
        ...directExecutor,
        plan: async (_entry, call) => ({
          plan: createPlan({ tool: 'read', arguments: call.arguments, action }),
          planHash: 'hash',
        }),
      },
      validator: anyObject,
      signal: new AbortController().signal,
      remember: () => undefined,
    },
  );
}

describe('prepareCall', () => {
  const auto: ApprovalPolicy = {
    default: 'prompt',
    rules: [{ mode: 'auto', when: { arguments: { path: 'notes/a' } } }],
  };
  const deny: ApprovalPolicy = {
    default: 'auto',
    rules: [{ mode: 'deny', when: { arguments: { path: 'secret' } } }],
  };

  it('lets a rule speak for the file it names', async () => {
    expect(await prepare('notes/a', '/workspace/notes/a', auto)).toMatchObject({
      verdict: 'run',
      approval: 'rule',
    });
  });

  it('does not take the name of a file for the file', async () => {
    // What was written matches the rule, what it leads to does not.
    expect(await prepare('notes/a', '/workspace/other', auto)).toMatchObject({ verdict: 'review' });
  });

  it.each(['secret', './x/../secret', 'link'])('denies %s where the file is denied', async (path) => {
    expect(await prepare(path, '/workspace/secret', deny)).toMatchObject({
      verdict: 'refuse',
      failure: { code: 'EXECUTION.APPROVAL.DENIED' },
    });
  });
});
