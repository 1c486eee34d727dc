import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { NO_PERMISSIONS, type Permissions } from '../../../src/domain/restrictions.js';
import type { SandboxPolicy } from '../../../src/ports/sandbox.js';

/** A workspace with a folder beside it that nothing may touch. */
export class Fixture {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-test-')));
  readonly root = join(this.base, 'ws');
  readonly out = join(this.base, 'out');

  constructor() {
    mkdirSync(join(this.root, 'src'), { recursive: true });
    mkdirSync(this.out);
  }

  write(path: string, content: string): string {
    const file = join(this.base, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  script(path: string, content: string): string {
    const file = this.write(path, `#!/bin/sh\n${content}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  /** `{ROOT}` and `{OUT}` in a text stand for the two folders. */
  fill(text: string): string {
    return text.replaceAll('{ROOT}', this.root).replaceAll('{OUT}', this.out);
  }

  permissions(more: Partial<Permissions> = {}): Permissions {
    return { ...NO_PERMISSIONS, ...more };
  }

  policy(more: Partial<Permissions> = {}): SandboxPolicy {
    return { workspace: this.root, permissions: this.permissions(more), onUnavailable: 'warn' };
  }

  /** Aborts when a process has made this file: by then it runs, however loaded the machine is. */
  abortedBy(path: string): AbortSignal {
    const controller = new AbortController();
    const timer = setInterval(() => {
      if (!existsSync(join(this.base, path))) return;
      clearInterval(timer);
      controller.abort();
    }, 5);
    return controller.signal;
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** What a promise was refused with, as its code; `undefined` if it was not. */
export async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

export const NEVER = new AbortController().signal;
