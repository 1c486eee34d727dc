import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandPlanner } from '../../../src/infrastructure/sandbox/command-planner.js';
import { VisiblePaths } from '../../../src/infrastructure/sandbox/visible-paths.js';
import { Fixture } from './fixture.js';

describe('VisiblePaths', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = new Fixture();
    fixture.write('ws/f.txt', 'x');
    fixture.write('out/secret.txt', 'x');
    fixture.write('shared/s.txt', 'x');
    symlinkSync(join(fixture.out, 'secret.txt'), join(fixture.root, 'link'));
  });
  afterEach(() => fixture.remove());

  const check = (word: string) =>
    new VisiblePaths(fixture.policy({ read: [`${fixture.base}/shared/**`] })).check(fixture.fill(word));

  it.each([
    ['a file outside', '{OUT}/secret.txt'],
    ['a new file outside', '{OUT}/new'],
    ['a folder outside, as the value of an option', '--target-directory={OUT}'],
    ['a file outside, close to its letter', '-o{OUT}/new'],
    ['a way up', '../out/secret.txt'],
    ['a link that leads out', 'link'],
    ['somebody’s home', '/root/x'],
  ])('refuses %s', (_, word) => {
    expect(() => check(word)).toThrow('is outside of what this tool may reach');
  });

  it.each([
    ['a file inside', 'f.txt'],
    ['a new file inside', '{ROOT}/a/b/c'],
    ['a root of the policy', '{ROOT}/../shared/s.txt'],
    ['the system', '/usr/bin/env'],
    ['a device', '/dev/null'],
    ['a name of its own in /tmp', '/tmp/some-new-name'],
    ['a path that nobody has', '/no/such/place'],
    ['a web address', 'https://example.org/root/x'],
    ['an option', '--color=auto'],
  ])('leaves %s to the kernel', (_, word) => {
    expect(() => check(word)).not.toThrow();
  });

  it('looks at the arguments of confined programs that are known, and at none that is text', async () => {
    const commands = ['cp', 'grep', 'curl', 'tar', 'node'];
    const planner = await CommandPlanner.create(fixture.policy({ commands }), { contained: true });
    const plan = (line: string) => planner.plan({ kind: 'command-line', commandLine: fixture.fill(line) });
    for (const line of [
      'cp f.txt {OUT}/new',
      'curl -sK f.txt',
      'curl --unix-sock /x http://y',
      'tar xPf a',
    ]) {
      expect(() => plan(line)).toThrow('is refused');
    }
    for (const line of ['cp f.txt g.txt', "grep '{OUT}' f.txt", 'tar xf a', 'node x.js {OUT}']) {
      expect(() => plan(line)).not.toThrow();
    }
  });
});
