import { describe, expect, it } from '@jest/globals';
import { parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';
import { approvedTools } from '../../../src/interfaces/cli/approved-tools.js';

const workflow = parseWorkflow(`
name: flags
tools:
  - { name: shell, builtin: true }
  - { name: write_file, builtin: true }
  - { name: fetch, builtin: http_request }
  - { name: mine }
steps: []
`);

const approved = (...approve: readonly string[]) => approvedTools({ approve }, workflow);

describe('--approve', () => {
  it.each([
    ['shell', { tool: 'shell' }],
    ['mine', { tool: 'mine' }],
    ['shell=git status', { tool: 'shell', rule: { command: ['git', 'status'] } }],
    ['shell=make X=1', { tool: 'shell', rule: { command: ['make', 'X=1'] } }],
    ['write_file=site/**', { tool: 'write_file', rule: { paths: ['site/**'] } }],
    ['fetch=*.example.org', { tool: 'fetch', rule: { hosts: ['*.example.org'] } }],
    ['fetch=get api.example.com', { tool: 'fetch', rule: { hosts: ['api.example.com'], methods: ['GET'] } }],
  ])('takes %s', (flag, expected) => {
    expect(approved(flag)).toEqual([expected]);
  });

  it.each([
    ['shel', 'USER.TOOL.UNKNOWN'],
    ['=git', 'USER.TOOL.UNKNOWN'],
    ['shell=', 'USER.ARGUMENT.INVALID'],
    ['shell=git status; id', 'USER.ARGUMENT.INVALID'],
    ['write_file=../x', 'USER.ARGUMENT.INVALID'],
    ['fetch=https://example.org/x', 'USER.ARGUMENT.INVALID'],
    ['mine=x', 'USER.ARGUMENT.INVALID'],
  ])('refuses %s as %s', (flag, code) => {
    expect(() => approved(flag)).toThrow(expect.objectContaining({ code }));
  });

  it('is checked beside --yes as well', () => {
    expect(approvedTools({ yes: true }, workflow)).toBe('all');
    expect(() => approvedTools({ yes: true, approve: ['shel'] }, workflow)).toThrow('no such tool');
  });
});
