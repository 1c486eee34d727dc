import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FolderCache } from '../../../../src/infrastructure/sandbox/bubblewrap/folder-cache.js';
import { Fixture } from '../fixture.js';

describe('FolderCache', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = new Fixture();
    for (let index = 0; index < 30; index++) fixture.write(`ws/d/a-name-of-some-length-${index}`, '');
  });
  afterEach(() => fixture.remove());

  const settled = async () => new Promise((resolve) => setTimeout(resolve, 120));

  it('keeps what was made of a folder, for each kind of reader apart', async () => {
    await settled();
    const cache = new FolderCache<string>();
    const read = (kind: string, value: string) =>
      cache.read(`${fixture.root}/d`, { kind, maxEntries: 100, derive: () => value });
    expect([read('tree', 'one'), read('git', 'two'), read('tree', 'three')]).toEqual(['one', 'two', 'one']);
  });

  it('gives up at folders with too many entries, until more may be read', async () => {
    await settled();
    const cache = new FolderCache<number>();
    const read = (maxEntries: number) =>
      cache.read(`${fixture.root}/d`, { kind: '', maxEntries, derive: ({ length }) => length });
    expect([read(10), read(29), read(30), read(10)]).toEqual(['crowded', 'crowded', 30, 30]);
  });

  it('knows nothing of what is not there', () => {
    expect(new FolderCache<number>().get(`${fixture.root}/none`, () => 1)).toBeUndefined();
  });
});
