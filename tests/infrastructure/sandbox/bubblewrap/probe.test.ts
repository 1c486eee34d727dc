import { describe, expect, it } from '@jest/globals';
import { explain } from '../../../../src/infrastructure/sandbox/bubblewrap/probe.js';

const settings = (values: Readonly<Record<string, string>>) => (name: string) => values[name] ?? '';

describe('explain', () => {
  it.each([
    [
      'bwrap: No permissions to create new namespace',
      { 'kernel/unprivileged_userns_clone': '0' },
      'sysctl -w kernel.unprivileged_userns_clone=1',
    ],
    [
      'bwrap: Creating new namespace failed: No space left',
      { 'user/max_user_namespaces': '0' },
      'sysctl -w user.max_user_namespaces',
    ],
    [
      'bwrap: setting up uid map: Permission denied',
      { 'kernel/apparmor_restrict_unprivileged_userns': '1' },
      'apparmor_restrict_unprivileged_userns=0',
    ],
    ['bwrap: No permissions to create new namespace', {}, '--security-opt seccomp=unconfined'],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", {}, 'systempaths=unconfined'],
    ['bwrap: Unknown option --as-pid-1', {}, 'too old'],
  ])('says what to do about %j', (said, values, advice) => {
    expect(explain(said, settings(values))).toContain(said);
    expect(explain(said, settings(values))).toContain(advice);
  });

  it('repeats what it does not understand', () => {
    expect(explain('no idea', settings({}))).toBe('bubblewrap does not work here (no idea)');
  });
});
