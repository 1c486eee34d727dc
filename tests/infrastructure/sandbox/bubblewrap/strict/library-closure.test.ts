import { realpathSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  closureOf,
  parseList,
} from '../../../../../src/infrastructure/sandbox/bubblewrap/strict/library-closure.js';

describe('closureOf', () => {
  it('asks the loader for everything that the shell needs', async () => {
    const closure = await closureOf(realpathSync('/bin/sh'));
    expect(closure).toContainEqual(expect.stringMatching(/\/(libc[.-]|ld-musl)/));
    expect(closure).toEqual(closure.map((path) => realpathSync(path)));
  });

  it('refuses a script, and says what to list', async () => {
    await expect(closureOf(realpathSync('/usr/bin/ldd'))).rejects.toThrow(/list its interpreter instead/);
  });
});

describe('parseList', () => {
  it('reads the lists of glibc and musl, and leaves out what has no file', () => {
    const text = [
      '\tlinux-vdso.so.1 (0x00007ffd)',
      '\tlibz.so.1 => /lib/with blank/libz.so.1 (0x00007f01)',
      '\tlibmissing.so => not found',
      '\t/lib64/ld-linux-x86-64.so.2 (0x00007f02)',
      '\tlibc.musl-x86_64.so.1 => /lib/ld-musl-x86_64.so.1 (0x7f03)',
    ];
    expect(parseList(`${text.join('\n')}\n`)).toEqual([
      '/lib/with blank/libz.so.1',
      '/lib64/ld-linux-x86-64.so.2',
      '/lib/ld-musl-x86_64.so.1',
    ]);
  });
});
