import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VERSION } from '../../src/application/version.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('the packed package', () => {
  it('says the version that package.json says', () => {
    expect(VERSION).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
  });

  it('is used from a project elsewhere: two adapters swapped, a tool added, the loop run', () => {
    const folder = temporaryFolder();
    const project = join(folder, 'project');
    mkdirSync(project);
    npm(process.cwd(), 'pack', '--ignore-scripts', '--pack-destination', folder);
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }');
    npm(project, 'install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, tarball));
    copyFileSync('tests/package/project.mjs', join(project, 'main.mjs'));
    const out = execFileSync(process.execPath, ['main.mjs'], { cwd: project, encoding: 'utf8' });
    expect(JSON.parse(out)).toEqual({
      output: 'It has been up for three days.',
      result: 'up 3 days',
      approval: 'user',
      asked: 1,
      planned: [['uptime']],
      parsed: 'uptime',
    });
    typecheck(project);
    // With all that it needs, on the disk.
    const kilobytes = Number.parseInt(
      execFileSync('du', ['-sk', 'node_modules'], { cwd: project, encoding: 'utf8' }),
      10,
    );
    expect(kilobytes).toBeLessThanOrEqual(25 * 1024);
    const bin = join(project, 'node_modules', '.bin', 'toolgate');
    expect(execFileSync(bin, ['--version'], { encoding: 'utf8' }).trim()).toBe(VERSION);
  }, 120_000);
});

/** By a strict project, which also looks into the declarations of what it imports. */
function typecheck(project: string): void {
  copyFileSync('tests/package/project-types.mts', join(project, 'types.mts'));
  const [, sample = ''] = /^```js\n(.*?)^```/ms.exec(readFileSync('README.md', 'utf8')) ?? [];
  writeFileSync(join(project, 'readme.mts'), sample);
  const types = ['--typeRoots', resolve('node_modules/@types'), '--types', 'node'];
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const target = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,esnext.disposable'];
  const tsc = resolve('node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, ...strict, ...target, ...types, 'types.mts', 'readme.mts'], {
    cwd: project,
    stdio: 'inherit',
  });
}

function npm(cwd: string, ...args: readonly string[]): void {
  execFileSync('npm', ['--loglevel=error', ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
