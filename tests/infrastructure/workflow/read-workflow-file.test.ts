import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  MAX_WORKFLOW_BYTES,
  readWorkflowFile,
} from '../../../src/infrastructure/workflow/read-workflow-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

// Node cannot make one.
const MAKE_PIPE = 'mkfifo';

describe('readWorkflowFile', () => {
  it('reads the bytes of a file, up to the limit', async () => {
    const file = join(temporaryFolder(), 'a.yaml');
    writeFileSync(file, 'x'.repeat(MAX_WORKFLOW_BYTES));
    expect((await readWorkflowFile(file)).length).toBe(MAX_WORKFLOW_BYTES);
  });

  it('refuses a file of 100 MB without reading it', async () => {
    const file = join(temporaryFolder(), 'a.yaml');
    writeFileSync(file, '');
    truncateSync(file, 100_000_000);
    const before = process.memoryUsage().arrayBuffers;
    await expect(readWorkflowFile(file)).rejects.toMatchObject({ code: 'WORKFLOW.PARSE.TOO_LARGE' });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MAX_WORKFLOW_BYTES);
  });

  it('says what is missing, and what is no file', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a.yaml');
    writeFileSync(file, '');
    await expect(readWorkflowFile(join(folder, 'b.yaml'))).rejects.toMatchObject({
      code: 'USER.FILE.NOT_FOUND',
      message: expect.stringContaining('there is no such file'),
    });
    await expect(readWorkflowFile(join(file, 'c.yaml'))).rejects.toMatchObject({
      code: 'USER.FILE.NOT_FOUND',
    });
    await expect(readWorkflowFile(folder)).rejects.toMatchObject({
      code: 'USER.ARGUMENT.INVALID',
      message: expect.stringContaining('is a directory'),
    });
    await expect(readWorkflowFile('a\0b')).rejects.toMatchObject({ code: 'USER.ARGUMENT.INVALID' });
  });

  it('waits neither for a pipe nor for an endless device', async () => {
    const pipe = join(temporaryFolder(), 'pipe.yaml');
    execFileSync(MAKE_PIPE, [pipe]);
    for (const path of [pipe, '/dev/zero']) {
      await expect(readWorkflowFile(path)).rejects.toMatchObject({
        code: 'USER.ARGUMENT.INVALID',
        message: expect.stringContaining('not a regular file'),
      });
    }
  });

  it('says so when a file cannot be read', async () => {
    const folder = join(temporaryFolder(), 'loop');
    mkdirSync(folder);
    const file = join(folder, 'a.yaml');
    writeFileSync(file, '');
    chmodSync(file, 0o000);
    // Whoever is root reads it all the same: a name that is too long is unreadable for everybody.
    const path = process.getuid?.() === 0 ? join(folder, 'x'.repeat(5000)) : file;
    await expect(readWorkflowFile(path)).rejects.toMatchObject({ code: 'SYSTEM.IO.READ_FAILED' });
  });
});
