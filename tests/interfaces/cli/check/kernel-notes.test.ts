import { describe, expect, it } from '@jest/globals';
import { DeniedError } from '../../../../src/domain/errors.js';
import { NO_PERMISSIONS, type Permissions } from '../../../../src/domain/restrictions.js';
import { kernelNotes } from '../../../../src/interfaces/cli/check/kernel-notes.js';
import type { Confinement, ProcessCommand, SandboxPolicy } from '../../../../src/ports/sandbox.js';
import { FakeSandbox } from '../../../../src/testing/fake-sandbox.js';

const NOTE = 'fsWrite: "src/*.ts" is held as all of "src"';

/** A sandbox that has something to say about every plan but that of `missing`. */
class NotingSandbox extends FakeSandbox {
  override async plan(policy: SandboxPolicy, command: ProcessCommand) {
    if (command.kind === 'argv' && command.argv[0] === 'missing')
      throw new DeniedError('there is no such program');
    if (policy.permissions.strict)
      throw new DeniedError('strict is not held', 'EXECUTION.SANDBOX.UNAVAILABLE');
    return {
      ...(await super.plan(policy, command)),
      confinement: { notes: [NOTE] } as unknown as Confinement,
    };
  }
}

function notesFor(commands: Permissions['commands'], strict = false) {
  const scope = { workspace: '/w', onUnavailable: 'deny' } as const;
  return kernelNotes(new NotingSandbox(), { permissions: { ...NO_PERMISSIONS, commands, strict } }, scope);
}

describe('kernelNotes', () => {
  it.each([['any' as const], ['system' as const], [['ls']]])(
    'asks a plan, where commands are %j',
    async (commands) => {
      expect(await notesFor(commands)).toEqual([NOTE]);
    },
  );

  it('has nothing to say of a tool that can start nothing', async () => {
    expect(await notesFor([])).toEqual([]);
    expect(await notesFor(['missing'])).toEqual([]);
  });

  it('says why no call of a strict tool can run', async () => {
    expect(await notesFor(['ls'], true)).toEqual(['strict is not held']);
  });
});
