import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { GuardScan } from '../../../../src/infrastructure/sandbox/bubblewrap/guard-scan.js';
import { heldPaths } from '../../../../src/infrastructure/sandbox/bubblewrap/held-paths.js';
import { Fixture } from '../fixture.js';

const scanOf = (guarded: readonly string[], unseen: GuardScan['unseen'] = new Map()): GuardScan => ({
  guarded: new Map(guarded.map((path) => [path, 'file'])),
  unseen,
  marks: new Map(),
  key: '',
});

describe('heldPaths', () => {
  it('holds each guarded path below a write root, and no root', () => {
    const scan = scanOf(['/ws/.npmrc', '/ws/a/.git/config', '/other/.npmrc', '/ws']);
    expect(heldPaths(scan, ['/ws'])).toEqual({ readOnly: ['/ws/.npmrc', '/ws/a/.git/config'], notes: [] });
  });

  it('holds nothing in what is held, unless it is in a write root of its own', () => {
    const scan = scanOf(['/ws/a', '/ws/a/b/.npmrc', '/ws/a/own/.npmrc']);
    expect(heldPaths(scan, ['/ws', '/ws/a/own']).readOnly).toEqual(['/ws/a', '/ws/a/own/.npmrc']);
  });

  it('holds folders that were not looked into, and says so', () => {
    const { readOnly, notes } = heldPaths(scanOf([], new Map([['/ws/d', 'closed']])), ['/ws']);
    expect({ readOnly, notes }).toEqual({
      readOnly: ['/ws/d'],
      notes: ['fsWrite: "/ws/d" is read-only, for it cannot be read'],
    });
  });

  it('refuses where a write root itself was not looked into', () => {
    expect(() => heldPaths(scanOf([], new Map([['/ws', 'crowded']])), ['/ws'])).toThrow(/narrow paths.write/);
  });

  it('holds the deepest folders around too many files, and leaves none of them out', () => {
    const many = Array.from({ length: 6 }, (_, index) => `/ws/packages/deep/${index}/.npmrc`);
    const { readOnly, notes } = heldPaths(scanOf(['/ws/.git/config', ...many, '/ws/x/.npmrc']), ['/ws'], 4);
    expect([...readOnly].sort()).toEqual(['/ws/.git/config', '/ws/packages/deep', '/ws/x/.npmrc']);
    expect(notes).toEqual([expect.stringContaining('all of "/ws/packages/deep" is read-only')]);
  });

  it('refuses what could be held only by holding a whole write root', () => {
    const many = Array.from({ length: 6 }, (_, index) => `/ws/${index}/.npmrc`);
    expect(() => heldPaths(scanOf(many), ['/ws'], 4)).toThrow(/6 places.*narrow paths.write/);
  });

  describe('with links', () => {
    let fixture: Fixture;
    beforeEach(() => {
      fixture = new Fixture();
    });
    afterEach(() => fixture.remove());

    it('holds what they lead to', () => {
      fixture.write('ws/shared/rules', '');
      symlinkSync('shared/rules', join(fixture.root, '.cursorrules'));
      const guarded = new Map([[join(fixture.root, '.cursorrules'), 'link shared/rules']]);
      const { readOnly } = heldPaths({ ...scanOf([]), guarded }, [fixture.root]);
      expect(readOnly).toEqual([join(fixture.root, 'shared/rules')]);
    });
  });
});
