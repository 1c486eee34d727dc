import { describe, expect, it } from '@jest/globals';
import type { PlannedCommand } from '../../../src/domain/plan.js';
import { whyNotLasting } from '../../../src/domain/rules/lasting-answer.js';
import { contextWith, FakeTerminal, requestFor } from '../../support/fake-terminal.js';

function planOf(commands: readonly PlannedCommand[], unread?: string) {
  const action = {
    kind: 'process',
    argv: ['sh'],
    cwd: '/w',
    commands,
    ...(unread ? { unread } : {}),
  } as const;
  return requestFor({ action });
}

const GIT: PlannedCommand = { name: 'git', path: '/usr/bin/git', args: ['status'] };

describe('whyNotLasting', () => {
  it.each([
    ['npm', { name: 'npm', path: '/usr/bin/npm', args: ['run', 'test'] }],
    ['an interpreter', { name: 'python3', path: '/usr/bin/python3', args: ['x.py'] }],
    ['a file of the workspace', { path: '/w/build.sh', args: [] }],
    ['a wrapper', { name: 'env', path: '/usr/bin/env', args: ['git', 'status'] }],
  ])('lets no yes to %s outlast the call, also among others', (_, command) => {
    expect(whyNotLasting(planOf([command]).plan)).toEqual(expect.any(String));
    expect(whyNotLasting(planOf([GIT, command]).plan)).toEqual(expect.any(String));
  });

  it('lets a yes last to commands that say what they do, to files and to requests', () => {
    expect(whyNotLasting(planOf([GIT, GIT]).plan)).toBeUndefined();
    expect(whyNotLasting(requestFor({ action: { kind: 'read-file', path: '/w/a' } }).plan)).toBeUndefined();
    expect(whyNotLasting(planOf([GIT], 'there is more to it').plan)).toBe('there is more to it');
  });
});

describe('the list of answers', () => {
  it.each([
    ['a lasting one for npm', 'w', planOf([{ name: 'npm', path: '/usr/bin/npm', args: ['test'] }])],
    ['a lasting one for a call in doubt', 's', requestFor({ reason: { kind: 'in-doubt', text: 'it died' } })],
    ['a change of a call in doubt', 'e', requestFor({ reason: { kind: 'in-doubt', text: 'it died' } })],
    [
      'a lasting one where nothing confines',
      '6',
      requestFor({ reason: { kind: 'unavailable', text: 'no' } }),
    ],
  ])('does not have %s, and its key is a no', async (_, key, request) => {
    const terminal = new FakeTerminal();
    const decision = terminal.gate().review(request, contextWith());
    await terminal.asked();
    expect(terminal.screen).not.toContain(` ${key}  `);
    terminal.type(key);
    expect(await decision).toMatchObject({ kind: 'denied' });
  });
});
