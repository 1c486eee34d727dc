import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HiddenMemory } from '../../../../src/infrastructure/sandbox/bubblewrap/hidden-memory.js';
import { Fixture } from '../fixture.js';

describe('HiddenMemory', () => {
  let fixture: Fixture;
  let secret: string;
  beforeEach(() => {
    fixture = new Fixture();
    secret = fixture.write('ws/conf/secret', 'x');
  });
  afterEach(() => fixture.remove());

  it('finds what was hidden under its new name, and again under the next', () => {
    const memory = new HiddenMemory();
    expect(memory.complete([secret], [fixture.root])).toEqual([secret]);
    renameSync(join(fixture.root, 'conf'), join(fixture.root, 'c2'));
    expect(memory.complete([], [fixture.root])).toEqual([join(fixture.root, 'c2/secret')]);
    renameSync(join(fixture.root, 'c2/secret'), join(fixture.root, 'src/x'));
    expect(memory.complete([], [fixture.root])).toEqual([join(fixture.root, 'src/x')]);
    mkdirSync(join(fixture.root, 'all'));
    renameSync(join(fixture.root, 'src/x'), join(fixture.root, 'all/x'));
    expect(memory.complete([`${fixture.root}/all/`], [fixture.root])).toEqual([`${fixture.root}/all/`]);
  });

  it('forgets what was removed, and never knew what no process can rename', () => {
    const memory = new HiddenMemory();
    memory.complete([secret], [fixture.root]);
    memory.complete([fixture.write('out/secret', 'x')], [fixture.root]);
    rmSync(secret);
    renameSync(join(fixture.out, 'secret'), join(fixture.root, 'moved'));
    expect(memory.complete([], [fixture.root])).toEqual([]);
  });

  it('refuses where there is too much to look through', () => {
    const memory = new HiddenMemory(2);
    memory.complete([secret], [fixture.root]);
    renameSync(secret, join(fixture.root, 'conf/other'));
    expect(() => memory.complete([], [fixture.root])).toThrow(/conf\/secret" was hidden .* begin a new run/);
  });
});
