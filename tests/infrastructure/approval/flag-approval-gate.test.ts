import { describe, expect, it } from '@jest/globals';
import { FlagApprovalGate } from '../../../src/infrastructure/approval/flag-approval-gate.js';
import { ScriptedApprovalGate } from '../../../src/testing/scripted-approval-gate.js';
import { describeApprovalGateContract } from '../../contracts/approval-gate.contract.js';
import { contextWith, requestFor } from '../../support/fake-terminal.js';

describeApprovalGateContract('FlagApprovalGate', () => ({
  gate: new FlagApprovalGate({ yes: true, tools: [], next: new ScriptedApprovalGate([]) }),
  answer: async () => {},
}));

function gateWith(flags: { readonly yes?: boolean; readonly tools?: readonly string[] }) {
  const next = new ScriptedApprovalGate(['deny']);
  return { next, gate: new FlagApprovalGate({ yes: flags.yes ?? false, tools: flags.tools ?? [], next }) };
}

describe('FlagApprovalGate', () => {
  it.each([{ yes: true }, { tools: ['shell'] }])('answers a prompt of policy for %j', async (flags) => {
    const { gate, next } = gateWith(flags);
    expect(await gate.review(requestFor(), contextWith())).toEqual({
      kind: 'approved',
      planHash: 'hash-1',
      scope: 'once',
      source: 'flag',
    });
    expect(next.requests).toEqual([]);
  });

  it.each([{}, { tools: ['read_file'] }, { tools: ['SHELL'] }, { tools: ['shel'] }])(
    'asks the next gate about a tool that %j does not name',
    async (flags) => {
      const { gate, next } = gateWith(flags);
      expect(await gate.review(requestFor(), contextWith())).toMatchObject({ kind: 'denied' });
      expect(next.requests).toHaveLength(1);
    },
  );

  it.each(['in-doubt', 'unavailable'] as const)('never answers when the reason is %s', async (kind) => {
    const { gate, next } = gateWith({ yes: true, tools: ['shell'] });
    const request = requestFor({ reason: { kind, text: 'why' } });
    expect(await gate.review(request, contextWith())).toMatchObject({ kind: 'denied' });
    expect(next.requests).toMatchObject([request]);
  });
});
