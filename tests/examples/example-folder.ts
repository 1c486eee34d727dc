import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.js';

export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** A workspace of its own for one example, with its runs beside it, gone after the test. */
export class ExampleFolder {
  readonly #folder = temporaryFolder();
  readonly workspace = join(this.#folder, 'workspace');

  constructor(files: Readonly<Record<string, string>> = {}) {
    mkdirSync(this.workspace);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.workspace, name)), { recursive: true });
      writeFileSync(join(this.workspace, name), text);
    }
  }

  /** Runs the built command line to its end, with nobody at a terminal. */
  toolgate(...args: readonly string[]): Ended {
    return ended(['dist/cli.js', ...args], this.#env);
  }

  /** The same, with somebody who types this and then leaves. */
  toolgateWith(input: string, ...args: readonly string[]): Ended {
    return ended(['dist/cli.js', ...args], this.#env, input);
  }

  /** The same, while it runs; its events come on stdout. */
  start(...args: readonly string[]): ChildProcess {
    const argv = ['dist/cli.js', ...args, '--output-format', 'stream-json'];
    return spawn(process.execPath, argv, { env: this.#env, stdio: ['ignore', 'pipe', 'ignore'] });
  }

  read(name: string): string {
    return readFileSync(join(this.workspace, name), 'utf8');
  }

  get #env(): NodeJS.ProcessEnv {
    return { ...process.env, XDG_STATE_HOME: join(this.#folder, 'state'), NO_COLOR: '1' };
  }
}

/** Runs Node to its end, from the root of the project. */
export function node(...args: readonly string[]): Ended {
  return ended(args, process.env);
}

function ended(args: readonly string[], env: NodeJS.ProcessEnv, input?: string): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env,
    encoding: 'utf8',
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(input === undefined ? {} : { input }),
  });
  return { status, out: stdout, err: stderr };
}
