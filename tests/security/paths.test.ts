import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { escape as escapePattern } from 'minimatch';
import type { Permissions } from '../../src/domain/restrictions.js';
import { GuardedFileAccess } from '../../src/infrastructure/sandbox/guarded-file-access.js';
import { codeOf, Fixture } from '../infrastructure/sandbox/fixture.js';

const SECRET = 'TOP-SECRET';
const DENIED = 'EXECUTION.SANDBOX.DENIED';
const NOT_FOUND = 'USER.FILE.NOT_FOUND';

describe('paths', () => {
  let fixture: Fixture;
  let files: GuardedFileAccess;
  beforeEach(() => {
    fixture = new Fixture();
    files = new GuardedFileAccess();
    fixture.write('out/secret.txt', SECRET);
    fixture.write('ws/src/ok.txt', 'OK');
  });
  afterEach(() => fixture.remove());

  const scopeOf = (more: Partial<Permissions>) => ({
    workspace: fixture.root,
    permissions: fixture.permissions(more),
  });
  const read = async (path: string, patterns = ['{ROOT}/**'], more: Partial<Permissions> = {}) => {
    const scope = scopeOf({ read: patterns.map((pattern) => fixture.fill(pattern)), ...more });
    const allowed = await files.resolve(fixture.fill(path), 'read', scope);
    return Buffer.from((await files.read(allowed, { maxBytes: 100, scope })).bytes).toString('utf8');
  };
  const write = async (path: string, patterns = ['{ROOT}/src/**'], append = false) => {
    const scope = scopeOf({ write: patterns.map((pattern) => fixture.fill(pattern)) });
    const allowed = await files.resolve(fixture.fill(path), 'write', scope);
    await files.write(allowed, 'PWNED', { append, scope });
  };

  describe('traversal', () => {
    it.each([
      ['{ROOT}/../out/secret.txt', DENIED],
      ['../out/secret.txt', DENIED],
      ['{ROOT}/src/../../out/secret.txt', DENIED],
      ['{ROOT}/nonexistent/../../out/secret.txt', DENIED],
      ['{ROOT}/src/ok.txt/../../../out/secret.txt', DENIED],
      ['{ROOT}/./../out/./secret.txt', DENIED],
      ['{ROOT}//..//out//secret.txt', DENIED],
      ['{OUT}/secret.txt', DENIED],
      ['/etc/passwd', DENIED],
      ['/', DENIED],
      ['{ROOT}_evil/secret.txt', DENIED],
      ['~/secret.txt', NOT_FOUND],
      ['$HOME/secret.txt', NOT_FOUND],
      ['%2e%2e/out/secret.txt', NOT_FOUND],
      ['..\\out\\secret.txt', NOT_FOUND],
      ['C:\\Windows\\win.ini', NOT_FOUND],
      ['file:///etc/passwd', NOT_FOUND],
      ['{ROOT}/src/a.txt::$DATA', NOT_FOUND],
      ['/proc/self/environ', DENIED],
      ['/proc/self/root/etc/passwd', DENIED],
      ['/proc/self/cwd/../../etc/passwd', DENIED],
      [`/proc/${process.ppid}/root/etc/passwd`, DENIED],
      ['/dev/fd/0', DENIED],
      ['/dev/stdin', DENIED],
      ['/dev/zero', DENIED],
      ['{ROOT}/src/a\0/../../../out/secret.txt', DENIED],
      ['', DENIED],
      ['src/\ud800', DENIED],
      [`{ROOT}/src/${'a/'.repeat(2100)}x`, DENIED],
      [`{ROOT}/src/${'a'.repeat(300)}`, 'SYSTEM.IO.READ_FAILED'],
    ])('does not read %j', async (path, code) => {
      mkdirSync(`${fixture.root}_evil`);
      fixture.write('ws_evil/secret.txt', SECRET);
      expect(await codeOf(read(path))).toBe(code);
    });

    it.each([
      ['src/ok.txt'],
      ['{ROOT}/src/ok.txt'],
      ['./src/../src/ok.txt'],
      ['{ROOT}/src/..hidden/ok.txt'],
      ['src/a b$HOME~.txt'],
      ['src/back\\slash.txt'],
    ])('reads %j', async (path) => {
      fixture.write('ws/src/..hidden/ok.txt', 'OK');
      fixture.write('ws/src/a b$HOME~.txt', 'OK');
      fixture.write('ws/src/back\\slash.txt', 'OK');
      expect(await read(path)).toBe('OK');
    });
  });

  describe('links', () => {
    const link = (target: string, path: string) =>
      symlinkSync(fixture.fill(target), join(fixture.root, path));

    it.each([
      ['{OUT}', 'link', 'link/secret.txt', DENIED],
      ['{OUT}/secret.txt', 's.txt', 's.txt', DENIED],
      ['../out/secret.txt', 's.txt', 's.txt', DENIED],
      ['{OUT}', 'src/b', 'src/b/../out/secret.txt', DENIED],
      ['/proc/self/environ', 'env', 'env', DENIED],
      ['/proc/self/root', 'r', 'r/etc/passwd', DENIED],
      ['{ROOT}/loop', 'loop', 'loop', 'SYSTEM.IO.READ_FAILED'],
      ['{ROOT}/secrets/k', 'l', 'l', DENIED],
      ['{OUT}/none', 'dangling', 'dangling', DENIED],
    ])('does not follow a link to %s', async (target, path, asked, code) => {
      fixture.write('ws/secrets/k', SECRET);
      link(target, path);
      expect(await codeOf(read(asked, ['{ROOT}/**', '!{ROOT}/secrets/**']))).toBe(code);
    });

    it('follows links that stay inside', async () => {
      link('src', 'alias');
      link('{ROOT}/alias/ok.txt', 'again.txt');
      expect(await read('again.txt')).toBe('OK');
    });

    it('reads below a root that is itself reached through a link', async () => {
      symlinkSync(fixture.root, join(fixture.base, 'rootlink'));
      expect(await read('{ROOT}/src/ok.txt', [`${fixture.base}/rootlink/**`])).toBe('OK');
      expect(await read(`${fixture.base}/rootlink/src/ok.txt`)).toBe('OK');
    });

    it.each([
      ['{OUT}', 'src/link', 'src/link/pwned', false],
      ['{OUT}/secret.txt', 'src/append.log', 'src/append.log', true],
      ['{OUT}/secret.txt', 'src/f', 'src/f', false],
      ['{OUT}/pwned', 'src/dangling', 'src/dangling', false],
    ])('does not write through a link to %s', async (target, path, asked, append) => {
      link(target, path);
      expect(await codeOf(write(asked, undefined, append))).toBe(DENIED);
      expect(readdirSync(fixture.out)).toEqual(['secret.txt']);
      expect(readFileSync(join(fixture.out, 'secret.txt'), 'utf8')).toBe(SECRET);
    });

    it('writes beside a link that stands where a guessed temporary file would be', async () => {
      link('{OUT}/pwned', 'src/t.tmp');
      await write('src/t');
      expect(readdirSync(fixture.out)).toEqual(['secret.txt']);
    });

    it('does not read a file that has a second name, nor append to it; writing makes it a file of its own', async () => {
      linkSync(join(fixture.out, 'secret.txt'), join(fixture.root, 'src/hard'));
      expect(await codeOf(read('src/hard'))).toBe(DENIED);
      expect(await codeOf(write('src/hard', undefined, true))).toBe(DENIED);
      await write('src/hard');
      expect(readFileSync(join(fixture.out, 'secret.txt'), 'utf8')).toBe(SECRET);
      expect(await read('src/hard')).toBe('PWNED');
    });
  });

  describe('special files', () => {
    it('neither reads nor writes a FIFO, and does not wait for it', async () => {
      execFileSync('mkfifo', [join(fixture.root, 'src/fifo')]);
      expect(await codeOf(read('src/fifo'))).toBe(DENIED);
      expect(await codeOf(write('src/fifo'))).toBe(DENIED);
    });

    it('does not read a socket', async () => {
      const server = createServer().listen(join(fixture.root, 'sock'));
      await new Promise((resolve) => server.once('listening', resolve));
      expect(await codeOf(read('sock'))).toBe(DENIED);
      await new Promise((resolve) => server.close(resolve));
    });

    it('gives new files no right to be run', async () => {
      await write('src/run.sh');
      expect(statSync(join(fixture.root, 'src/run.sh')).mode & 0o7111).toBe(0);
    });
  });

  describe('races', () => {
    it.each([
      ['race', 'dir', 'race/secret.txt', 'race/pwned'],
      ['f', 'file', 'f', 'f'],
    ])('never loses when %s flips between a %s and a link', async (name, kind, readPath, writePath) => {
      const target = kind === 'dir' ? fixture.out : join(fixture.out, 'secret.txt');
      const stop = new Int32Array(new SharedArrayBuffer(4));
      const workerData = { path: join(fixture.root, 'src', name), target, kind, stop };
      const worker = new Worker(FLIPPER, { eval: true, workerData });
      const exited = new Promise((resolve) => worker.once('exit', resolve));
      await new Promise((resolve) => worker.once('message', resolve));
      const seen = new Set<string>();
      for (let round = 0; round < 400; round++) {
        seen.add(await read(`src/${readPath}`).catch((error: { code: string }) => error.code));
        await codeOf(write(`src/${writePath}`));
      }
      Atomics.store(stop, 0, 1);
      expect(await exited).toBe(0);
      expect([...seen].filter((text) => text.includes(SECRET))).toEqual([]);
      expect(readdirSync(fixture.out)).toEqual(['secret.txt']);
      expect(readFileSync(join(fixture.out, 'secret.txt'), 'utf8')).toBe(SECRET);
    });
  });

  describe('patterns', () => {
    it.each([
      ['{ROOT}/*', '.env'],
      ['{ROOT}/src/*', 'src/a/b.ts'],
      ['{ROOT}/src/*.ts', 'src/x.ts.bak'],
      ['{ROOT}/src/*.ts', 'src/x.ts\nsecret'],
      ['{ROOT}/src/?.ts', 'src/ab.ts'],
      ['{ROOT}/+(a|aa|a+(a))b', 'ab'],
      [`{ROOT}/${'a*'.repeat(25)}b`, 'a'.repeat(255)],
      [`{ROOT}/${'**/a/'.repeat(60)}b`, `${'a/'.repeat(200)}c`],
      ['{ROOT}/src', 'src/ok.txt'],
    ])('%j does not cover %j', async (pattern, path) => {
      fixture.write(`ws/${path}`, SECRET);
      const started = performance.now();
      expect(await codeOf(read(path, [pattern]))).toBe(DENIED);
      expect(performance.now() - started).toBeLessThan(500);
    });

    it.each([
      ['{ROOT}/**', 'src/.git/config'],
      ['{ROOT}/.*', '.env'],
      ['{ROOT}/src/*.ts', 'src/x.ts'],
      ['{ROOT}/{src,test}/*.[jt]s', 'test/x.js'],
      ['{ROOT}/**/x.ts', 'x.ts'],
      ['{ROOT}/**/x.ts', 'a/b/c/x.ts'],
      ['{ROOT}/src/x.ts', 'src/x.ts'],
    ])('%j covers %j', async (pattern, path) => {
      fixture.write(`ws/${path}`, 'OK');
      expect(await read(path, [pattern])).toBe('OK');
    });

    it.each([
      [`{ROOT}/${'{a,b}'.repeat(30)}`],
      ['{ROOT}/{1..1000000000}'],
      ['{ROOT}/{0..9..0}'],
      ['{ROOT}/../**'],
      ['/**'],
      ['/*/**'],
      [''],
      ['**'],
    ])('refuses the pattern %j at once', async (pattern) => {
      const started = performance.now();
      expect(await codeOf(read('x', [pattern]))).toBe('WORKFLOW.RESTRICTION.INVALID');
      expect(performance.now() - started).toBeLessThan(200);
    });

    it('takes an escaped value for what it is, magic characters and all', async () => {
      fixture.write('ws/we[i]rd*{a,b}/ok.txt', 'OK');
      fixture.write('ws/weird/ok.txt', SECRET);
      const pattern = `${escapePattern(join(fixture.root, 'we[i]rd*{a,b}'), { magicalBraces: true })}/**`;
      expect(await read('we[i]rd*{a,b}/ok.txt', [pattern])).toBe('OK');
      expect(await codeOf(read('weird/ok.txt', [pattern]))).toBe(DENIED);
    });

    it('checks deny rules on the path as it is and as it was written', async () => {
      fixture.write('ws/vault/k', SECRET);
      symlinkSync('vault', join(fixture.root, 'secrets'));
      const patterns = ['{ROOT}/**', '!{ROOT}/secrets/**'];
      expect(await codeOf(read('secrets/k', patterns))).toBe(DENIED);
      expect(await codeOf(read('vault/k', patterns))).toBe(DENIED);
      expect(await read('src/ok.txt', patterns)).toBe('OK');
    });
  });
});

/** Swaps a path between a folder or file and a link, as fast as it can. */
const FLIPPER = `
  const fs = require('node:fs');
  const { parentPort, workerData: { path, target, kind, stop } } = require('node:worker_threads');
  const real = path + '.real';
  if (kind === 'dir') fs.mkdirSync(real); else fs.writeFileSync(real, 'mine');
  fs.symlinkSync(target, path + '.link');
  const clear = () => { try { fs.rmSync(path, { recursive: true, force: true }); } catch {} };
  const swap = (from) => {
    try { fs.renameSync(from, path); fs.renameSync(path, from); } catch { clear(); }
  };
  let announced = false;
  while (Atomics.load(stop, 0) === 0) {
    swap(real);
    swap(path + '.link');
    if (!announced) parentPort.postMessage('running');
    announced = true;
  }
`;
