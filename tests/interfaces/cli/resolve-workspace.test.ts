import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { InputDeclaration, Workflow } from '../../../src/domain/workflow.js';
import { resolveWorkspace } from '../../../src/interfaces/cli/resolve-workspace.js';

let cwd = '';

beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'toolgate-workspace-')));
  await Promise.all(['a', 'b'].map((name) => mkdir(join(cwd, name))));
  await symlink(join(cwd, 'a'), join(cwd, 'link'));
  await writeFile(join(cwd, 'file'), '');
});

afterAll(() => rm(cwd, { recursive: true, force: true }));

function workflow(workspace: string, inputs: readonly Partial<InputDeclaration>[] = []): Workflow {
  return { workspace, inputs } as Workflow;
}

describe('resolveWorkspace', () => {
  it('takes the flag before the workflow before the current directory', async () => {
    const choice = { cwd, env: {}, workflow: workflow('b') };
    expect(await resolveWorkspace({ ...choice, flag: 'a' })).toBe(join(cwd, 'a'));
    expect(await resolveWorkspace(choice)).toBe(join(cwd, 'b'));
    expect(await resolveWorkspace({ cwd, env: {} })).toBe(cwd);
  });

  it('follows links, so that what is checked is what is meant', async () => {
    expect(await resolveWorkspace({ cwd, env: {}, flag: 'link' })).toBe(join(cwd, 'a'));
  });

  it('fills a template with inputs, their defaults and the environment', async () => {
    const inputs = [{ name: 'folder', default: 'a' }];
    const byInput = { cwd, env: {}, workflow: workflow('{{inputs.folder}}', inputs) };
    expect(await resolveWorkspace(byInput)).toBe(join(cwd, 'a'));
    expect(await resolveWorkspace({ ...byInput, given: { folder: 'b' } })).toBe(join(cwd, 'b'));
    const byEnv = { cwd, env: { FOLDER: 'b' }, workflow: workflow('{{env.FOLDER}}') };
    expect(await resolveWorkspace(byEnv)).toBe(join(cwd, 'b'));
  });

  it.each([
    ['missing', 'does not exist'],
    ['file', 'is not a directory'],
  ])('refuses %s', async (flag, problem) => {
    await expect(resolveWorkspace({ cwd, env: {}, flag })).rejects.toMatchObject({
      code: 'USER.ARGUMENT.INVALID',
      message: `The workspace ${join(cwd, flag)} ${problem}`,
    });
  });
});
