import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.js';

const CLI = resolve('dist/cli.js');
const NOBODY = 65534;
/** What only a cgroup that toolgate may make can hold. */
const LIMITS = ['memory-together', 'processes'];

interface Escape {
  readonly id: string;
  readonly verdict: string;
  readonly held_by: string;
}

/** A home and a folder for temporary files, which must be as empty afterwards as they were before. */
class Place {
  readonly #folder = temporaryFolder();
  readonly #folders = ['home', 'tmp'].map((name) => join(this.#folder, name));

  constructor(readonly uid: number | undefined) {
    chmodSync(this.#folder, 0o755);
    for (const folder of this.#folders) {
      mkdirSync(folder);
      if (uid !== undefined) chownSync(folder, uid, uid);
    }
  }

  get options() {
    const [home, tmp] = this.#folders;
    const who = this.uid === undefined ? {} : { uid: this.uid, gid: this.uid };
    return { env: { PATH: process.env.PATH, HOME: home, TMPDIR: tmp }, cwd: '/', ...who };
  }

  /** A file outside of both, for whatever a test needs. */
  file(name: string): string {
    const path = join(this.#folder, name);
    writeFileSync(path, '');
    return path;
  }

  leftOvers(): readonly string[] {
    return this.#folders.flatMap((folder) => readdirSync(folder));
  }
}

function examine(place: Place, ...before: readonly string[]) {
  const [program = '', ...args] = [...before, process.execPath, CLI, 'doctor', '--output-format', 'json'];
  const { status, stdout, stderr } = spawnSync(program, args, { ...place.options, encoding: 'utf8' });
  expect(stderr).toBe('');
  const report = JSON.parse(stdout);
  return { status, report, escapes: report.escapes as readonly Escape[] };
}

describe('toolgate doctor, where bubblewrap works', () => {
  const isRoot = process.getuid?.() === 0;
  it.each([
    ['this user', undefined],
    ['an ordinary user', isRoot ? NOBODY : undefined],
  ])(
    'shows that the kernel holds every escape, for %s',
    (_who, uid) => {
      const place = new Place(uid);
      const { status, report, escapes } = examine(place);
      const loose = escapes.filter(({ verdict }) => verdict !== 'held' && verdict !== 'inapplicable');
      expect(loose.filter(({ id }) => !LIMITS.includes(id))).toEqual([]);
      expect(loose.length === 0 || report.missing.join().includes('cgroup')).toBe(true);
      expect(status).toBe(loose.length === 0 ? 0 : 3);
      expect({ kernel: report.kernel, backend: report.backend }).toEqual({
        kernel: true,
        backend: 'bubblewrap',
      });
      expect(place.leftOvers()).toEqual([]);
    },
    60_000,
  );

  it('names who holds what', () => {
    const { escapes } = examine(new Place(undefined));
    const heldBy = Object.fromEntries(escapes.map(({ id, held_by }) => [id, held_by]));
    expect(heldBy).toMatchObject({
      'write-outside': 'kernel',
      'read-outside': 'kernel',
      remount: 'kernel',
      'connect-loopback': 'kernel',
      'connect-unix': 'kernel',
      'user-namespace': 'kernel',
      'read-environment': 'kernel',
      'outlive-call': 'kernel',
      'inherited-descriptor': 'in-process',
    });
  }, 60_000);

  it('shows what is lost without bubblewrap, and how to get it', () => {
    const place = new Place(undefined);
    const places = ['/usr/bin/bwrap', '/usr/local/bin/bwrap'].filter((path) => existsSync(path));
    const hidden = places.flatMap((path) => ['--ro-bind', place.file('none'), path]);
    const { status, report, escapes } = examine(place, 'bwrap', '--dev-bind', '/', '/', ...hidden, '--');
    expect({ status, kernel: report.kernel }).toEqual({ status: 3, kernel: false });
    expect(report.missing.join()).toContain('apt-get install bubblewrap');
    expect(escapes.find(({ id }) => id === 'write-outside')?.verdict).toBe('escaped');
    expect(place.leftOvers()).toEqual([]);
  }, 60_000);

  it('cleans up when it is interrupted', async () => {
    const place = new Place(undefined);
    const doctor = spawn(process.execPath, [CLI, 'doctor'], { ...place.options, stdio: 'ignore' });
    const ended = once(doctor, 'exit');
    while (place.leftOvers().length === 0) await new Promise((done) => setTimeout(done, 10));
    doctor.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(place.leftOvers()).toEqual([]);
  }, 60_000);
});
