import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type GuardScan,
  GuardScanner,
} from '../../../../src/infrastructure/sandbox/bubblewrap/guard-scan.js';
import { Sweep } from '../../../../src/infrastructure/sandbox/bubblewrap/sweep.js';
import { Fixture } from '../fixture.js';

const NOTHING: GuardScan = { guarded: new Map(), unseen: new Map(), marks: new Map(), key: '' };

describe('Sweep', () => {
  let fixture: Fixture;
  let scanner: GuardScanner;
  beforeEach(() => {
    fixture = new Fixture();
    scanner = new GuardScanner(fixture.root, []);
  });
  afterEach(() => fixture.remove());

  const begin = () =>
    new Sweep({
      before: scanner.scan([fixture.root], 0),
      look: () => scanner.scanAfter([fixture.root]),
      folder: undefined,
    });

  it('takes away what came since it began, at once', () => {
    fixture.write('ws/.npmrc', '');
    const sweep = begin();
    fixture.write('ws/a/.vscode/deep/x', '');
    expect(sweep.finish()).toMatchObject({
      isClean: true,
      said: [expect.stringContaining('.vscode" was removed')],
    });
    expect(existsSync(join(fixture.root, 'a/.vscode'))).toBe(false);
    expect(existsSync(join(fixture.root, '.npmrc'))).toBe(true);
  });

  it('takes away what comes back while another call ran', () => {
    const [first, second] = [begin(), begin()];
    fixture.write('ws/.envrc', '');
    first.finish();
    fixture.write('ws/.envrc', '');
    expect(second.finish().said).toHaveLength(1);
    expect(existsSync(join(fixture.root, '.envrc'))).toBe(false);
  });

  it('is not clean where something stays, and follows no link to it', () => {
    fixture.write('ws/real/.envrc', '');
    symlinkSync('real', join(fixture.root, 'link'));
    const path = join(fixture.root, 'link/.envrc');
    const look = () => ({ ...NOTHING, guarded: new Map([[path, 'file']]) });
    const swept = new Sweep({ before: NOTHING, look, folder: undefined }).finish();
    expect(swept).toEqual({ isClean: false, said: [expect.stringContaining('could not be taken away')] });
    expect(existsSync(join(fixture.root, 'real/.envrc'))).toBe(true);
  });

  it('is not clean where a call made more than is looked through', () => {
    scanner = new GuardScanner(fixture.root, [], undefined, { folders: 3, entries: 100 });
    const sweep = begin();
    for (const name of ['a', 'b', 'c', 'd']) mkdirSync(join(fixture.root, name));
    const { isClean, said } = sweep.finish();
    expect({ isClean, text: said[0] }).toEqual({
      isClean: false,
      text: expect.stringContaining('could not be searched'),
    });
  });

  it('leaves nothing behind that waits for the end of this program', () => {
    const listeners = process.listenerCount('exit');
    const sweep = begin();
    expect(process.listenerCount('exit')).toBe(listeners + 1);
    sweep.finish();
    expect(process.listenerCount('exit')).toBe(listeners);
  });
});
