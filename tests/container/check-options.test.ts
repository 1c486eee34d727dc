import { describe, expect, it } from '@jest/globals';
import { checkContainerOptions } from '../../src/container/check-options.js';
import { createContainer } from '../../src/container.js';

describe('checkContainerOptions', () => {
  it.each([
    [{}],
    [{ journal: 'file', workspace: '/srv', approve: 'all', terminal: 'controlling', sandbox: 'process' }],
    [{ approve: ['shell', { tool: 'read_file' }], approvals: 'terminal-or-later', auditTransports: [] }],
    [{ approvals: { gate: {} }, journal: undefined }],
  ])('accepts %j', (options) => {
    expect(() => checkContainerOptions(options)).not.toThrow();
  });

  it.each([
    [{ journal: 'nope' }, '"journal" is "nope", must be "memory" or "file"'],
    [{ jurnal: 'file' }, 'has no option "jurnal" (did you mean "journal"?)'],
    [{ zzz: 1 }, 'has no option "zzz" (there are: journal, workspace'],
    [{ sandbox: true }, '"sandbox" must be "system" or "process"'],
    [{ approve: 'yes' }, '"approve" must be "all" or a list of tools'],
    [{ approvals: 'never' }, '"approvals" is "never", must be "terminal" or "later" or "terminal-or-later"'],
    [{ workspace: 5 }, '"workspace" must be a path'],
    [{ auditTransports: {} }, '"auditTransports" must be a list of winston transports'],
    ['file', 'takes its options as one object'],
    [{ journal: 'nope', zzz: 1 }, 'must be "memory" or "file"; has no option "zzz"'],
  ])('refuses %j', (options, problem) => {
    expect(() => checkContainerOptions(options)).toThrow(problem);
    expect(() => checkContainerOptions(options)).toThrow(
      expect.objectContaining({ code: 'USER.ARGUMENT.INVALID' }),
    );
  });

  it('is asked before anything is wired', async () => {
    await expect(createContainer({ journal: 'nope' as 'file' })).rejects.toMatchObject({
      code: 'USER.ARGUMENT.INVALID',
    });
  });
});
