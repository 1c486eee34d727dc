import { describe, expect, it } from '@jest/globals';
import { FlagApprovalGate } from '../../../src/infrastructure/approval/flag-approval-gate.js';
import { ScriptedApprovalGate } from '../../../src/testing/scripted-approval-gate.js';
import { describeApprovalGateContract } from '../../contracts/approval-gate.contract.js';
import { contextWith, requestFor } from '../../support/fake-terminal.js';

const fits = () => false;

describeApprovalGateContract('FlagApprovalGate', () => ({
  gate: new FlagApprovalGate({ yes: true, tools: [], fits, next: new ScriptedApprovalGate([]) }),
  answer: async () => {},
}));

function gateWith(flags: { readonly yes?: boolean; readonly tools?: readonly string[] }) {
  const next = new ScriptedApprovalGate(['deny']);
  const tools = (flags.tools ?? []).map((tool) => ({ tool }));
  return { next, gate: new FlagApprovalGate({ yes: flags.yes ?? false, tools, fits, next }) };
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

describe('a rule on the command line', () => {
  const commands = (...names: readonly string[]) =>
    names.map((name) => ({ name, path: `/usr/bin/${name}`, args: ['status'] }));
  const action = (...names: readonly string[]) =>
    ({ kind: 'process', argv: ['/bin/sh'], cwd: '/w', commands: commands(...names) }) as const;
  const gate = (...programs: readonly string[]) =>
    new FlagApprovalGate({
      yes: false,
      tools: programs.map((program) => ({ tool: 'shell', rule: { command: [program, 'status'] } })),
      fits,
      next: new ScriptedApprovalGate(['deny']),
    });

  it('answers for what it speaks of, and for nothing else', async () => {
    const review = (names: readonly string[], programs: readonly string[]) =>
      gate(...programs).review(requestFor({ action: action(...names) }), contextWith());
    expect(await review(['git'], ['git'])).toMatchObject({ kind: 'approved', source: 'flag' });
    expect(await review(['git', 'hg'], ['git', 'hg'])).toMatchObject({ kind: 'approved' });
    expect(await review(['git', 'hg'], ['git'])).toMatchObject({ kind: 'denied' });
    expect(await review(['hg'], ['git'])).toMatchObject({ kind: 'denied' });
  });
});
