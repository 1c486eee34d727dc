import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';

interface Facts {
  readonly platform?: string;
  readonly isRoot?: boolean;
  readonly hasApt?: boolean;
  readonly isForbidden?: boolean;
  readonly installed?: readonly string[];
  readonly isForTests?: boolean;
  /** How many calls of apt-get fail before one succeeds. */
  readonly failures?: number;
}

/** Sets up a machine that is not there, and tells what was done to it and what was said. */
async function setUp({ failures = 0, installed: before = [], isForTests = false, ...facts }: Facts) {
  const script = await import(pathToFileURL(resolve('scripts/setup.mjs')).href);
  const apt: string[] = [];
  const said: string[] = [];
  const installed = new Set(before);
  const machine = {
    ...{ platform: 'linux', isRoot: true, hasApt: true, isForbidden: false, ...facts },
    isInstalled: (name: string) => installed.has(name),
    apt: (args: readonly string[]) => {
      const [verb = ''] = args;
      apt.push(verb);
      const ok = verb === 'install' && apt.filter((each) => each === 'install').length > failures;
      if (ok) installed.add(args.at(-1) ?? '');
      return { ok: ok || verb === 'update', said: ok ? '' : 'E: Unable to locate package bubblewrap' };
    },
    say: (line: string) => said.push(line),
  };
  script.setUp(machine, { isForTests });
  return { apt, said };
}

describe('scripts/setup.mjs', () => {
  it('does and says nothing where bubblewrap is', async () => {
    expect(await setUp({ installed: ['bubblewrap'] })).toEqual({ apt: [], said: [] });
  });

  it('announces that it installs it, and does', async () => {
    expect(await setUp({})).toEqual({
      apt: ['install'],
      said: [expect.stringContaining('installing it (TOOLGATE_NO_SETUP=1'), 'bubblewrap is installed'],
    });
  });

  it('fetches the lists of packages only if it must', async () => {
    const { apt, said } = await setUp({ failures: 1 });
    expect(apt).toEqual(['install', 'update', 'install']);
    expect(said.at(-1)).toBe('bubblewrap is installed');
  });

  it('says in one line what went wrong, and how to go on', async () => {
    const { said } = await setUp({ failures: 2 });
    expect(said).toHaveLength(2);
    expect(said[1]).toMatch(/could not be installed \(E: Unable to locate.*\): install the package/);
  });

  it('makes sure of what only tests need where it is asked to', async () => {
    const installed = ['bubblewrap', 'chromium', 'openssl'];
    expect(await setUp({ installed, isForTests: true })).toEqual({
      apt: ['install'],
      said: [
        expect.stringContaining('tmux, which is the terminal of the tests, is missing'),
        'tmux is installed',
      ],
    });
    expect(await setUp({ installed })).toEqual({ apt: [], said: [] });
  });

  it.each([
    ['an ordinary user', { isRoot: false }],
    ['a system without apt-get', { hasApt: false }],
    ['TOOLGATE_NO_SETUP', { isForbidden: true }],
  ])('changes nothing for %s, and says how to', async (_, facts) => {
    const { apt, said } = await setUp(facts);
    expect({ apt, said }).toEqual({ apt: [], said: [expect.stringContaining('apt-get install bubblewrap')] });
  });

  it('says that other systems have no kernel layer', async () => {
    expect(await setUp({ platform: 'darwin' })).toEqual({
      apt: [],
      said: [expect.stringContaining('no kernel sandbox on darwin')],
    });
  });

  it('never fails, run as it is', () => {
    const env = { ...process.env, TOOLGATE_NO_SETUP: '1' };
    expect(spawnSync(process.execPath, ['scripts/setup.mjs'], { env }).status).toBe(0);
  });
});
