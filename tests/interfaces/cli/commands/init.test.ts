import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CliFixture, createCliFixture } from '../fixture.js';

const SCHEMA = resolve('schema/workflow.schema.json');

let cli: CliFixture;

beforeAll(async () => {
  cli = await createCliFixture();
});

afterAll(() => cli.remove());

describe('toolgate init', () => {
  it('writes a workflow that check passes and run runs', async () => {
    const { code, out, err } = await cli.run('init');
    expect({ code, out }).toEqual({ code: 0, out: 'workflow.yaml\nworkflow.script.yaml\n' });
    expect(err).toContain('toolgate run workflow.yaml --script workflow.script.yaml');
    expect((await cli.run('check', 'workflow.yaml')).code).toBe(0);
    const run = await cli.run('run', 'workflow.yaml', '--script', 'workflow.script.yaml', '--yes');
    expect(run.code).toBe(0);
    expect(await readFile(join(cli.workspace, 'notes/first.md'), 'utf8')).toContain('A gate');
  });

  it('overwrites neither the workflow nor its script, and then writes nothing', async () => {
    await cli.write('mine.yaml', 'mine');
    await cli.write('other.script.yaml', 'mine');
    for (const file of ['mine.yaml', 'other.yaml']) {
      const { code, err } = await cli.run('init', file);
      expect(code).toBe(1);
      expect(err).toContain('is there already');
    }
    expect(await readFile(join(cli.workspace, 'mine.yaml'), 'utf8')).toBe('mine');
    await expect(readFile(join(cli.workspace, 'other.yaml'))).rejects.toThrow('ENOENT');
  });

  it('makes the folder, as its own help shows', async () => {
    expect(await cli.run('init', 'flows/review.yaml')).toMatchObject({ code: 0 });
    expect((await cli.run('check', 'flows/review.yaml')).code).toBe(0);
  });

  it('says why a folder cannot be made', async () => {
    await cli.write('taken', '');
    expect(await cli.run('init', 'taken/w.yaml')).toMatchObject({ code: 4, out: '' });
  });
});

describe('toolgate schema', () => {
  it('prints the schema that is published', async () => {
    const { code, out } = await cli.run('schema');
    expect(code).toBe(0);
    expect(out).toBe(await readFile(SCHEMA, 'utf8'));
  });
});
