import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandPlanner } from '../../../src/infrastructure/sandbox/command-planner.js';
import { CommandFixture } from './command-fixture.js';

describe('CommandPlanner', () => {
  let fixture: CommandFixture;
  beforeEach(() => {
    fixture = new CommandFixture();
  });
  afterEach(() => fixture.remove());

  const plan = async (contained: boolean, commands: readonly string[], commandLine: string) => {
    const planner = await CommandPlanner.create(fixture.policy({ commands }), { contained });
    return planner.plan({ kind: 'command-line', commandLine: fixture.fill(commandLine) });
  };

  it.each([
    ['node', 'node -e 1'],
    ['bash', 'bash p.sh'],
    ['cat', 'cat /etc/hostname'],
    ['grep', 'grep -R x .'],
    ['sort', 'sort -o g.txt f.txt'],
  ])('leaves to the kernel what the kernel holds: %s', async (command, line) => {
    expect((await plan(true, [command], line)).slice(1)).toEqual(line.split(' ').slice(1));
    await expect(plan(false, [command], line)).rejects.toThrow('is refused');
  });

  it.each([
    ['find', 'find . -exec touch x ";"'],
    ['git', "git -c alias.x='!touch x' x"],
    ['echo', 'echo $(touch x)'],
    ['tar', 'tar cf x.tar f.txt -I ./p.sh'],
    ['awk', 'awk \'BEGIN{system("touch x")}\''],
  ])('refuses other programs under any kernel: %s', async (command, line) => {
    await expect(plan(true, [command], line)).rejects.toThrow('is refused');
  });

  it('writes the shell text itself, from what it understood', async () => {
    const [, , text] = await plan(
      false,
      ['echo', 'timeout', 'sed'],
      `echo "a'b" 'c d'||timeout 5 sed s/a/b/\necho`,
    );
    expect(text?.replace(/\/\S*\/(?=echo|timeout|sed)/g, '')).toBe(
      `echo 'a'\\''b' 'c d' || timeout 5 sed --sandbox s/a/b/ ; echo`,
    );
  });

  it('fills the parameters of a script before it looks at the commands', async () => {
    const planner = await CommandPlanner.create(fixture.policy({ commands: ['grep'] }), { contained: false });
    const script = (...args: string[]) =>
      planner.plan({ kind: 'script', script: 'grep -e "$1" -- "$2"', args });
    expect(script('a; b', 'f.txt').slice(1)).toEqual(['-e', 'a; b', '--', 'f.txt']);
    expect(() => script('a', fixture.fill('{OUT}/secret.txt'))).toThrow('outside of the workspace');
  });

  it.each([
    ['any' as const, 'no-such-program', 'EXECUTION.TOOL.NOT_FOUND'],
    ['any' as const, '/no/such/program', 'EXECUTION.TOOL.NOT_FOUND'],
    ['system' as const, 'no-such-program', 'EXECUTION.TOOL.NOT_FOUND'],
    ['system' as const, '/no/such/program', 'EXECUTION.SANDBOX.DENIED'],
    ['system' as const, 'eval', 'EXECUTION.SANDBOX.DENIED'],
    [['no-such-program'], 'no-such-program', 'EXECUTION.TOOL.NOT_FOUND'],
    [['ls', './gone.sh'], './gone.sh', 'EXECUTION.TOOL.NOT_FOUND'],
    [['ls'], 'no-such-program', 'EXECUTION.SANDBOX.DENIED'],
    [['ls', 'eval'], 'eval', 'EXECUTION.SANDBOX.DENIED'],
    [[], 'no-such-program', 'EXECUTION.SANDBOX.DENIED'],
  ])('tells what is not installed from what is refused: %j, %s', async (commands, word, code) => {
    const planner = await CommandPlanner.create(fixture.policy({ commands }), { contained: false });
    expect(() => planner.plan({ kind: 'argv', argv: [word] })).toThrow(expect.objectContaining({ code }));
  });

  it('refuses what no process can be given', async () => {
    await expect(plan(false, ['echo'], 'echo a\0b')).rejects.toThrow('NUL');
    await expect(plan(false, ['echo'], "echo '\ud83d'")).rejects.toThrow('half a character');
  });
});
