import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CliIo } from '../../../src/interfaces/cli/cli-io.js';
import { runCli } from '../../../src/interfaces/cli/run-cli.js';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A folder with a workspace and a state folder beside each other, and the CLI run inside it. */
export interface CliFixture {
  readonly workspace: string;
  readonly state: string;
  write(name: string, text: string): Promise<string>;
  run(...argv: readonly string[]): Promise<Ran>;
  runWith(io: Partial<CliIo>, ...argv: readonly string[]): Promise<Ran>;
  remove(): Promise<void>;
}

export async function createCliFixture(): Promise<CliFixture> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'toolgate-cli-')));
  const workspace = join(root, 'workspace');
  const state = join(root, 'state');
  await mkdir(workspace);
  // Files are named as a person would name them: relative to where they are.
  const before = process.cwd();
  process.chdir(workspace);
  // The journal reads the process's own environment.
  process.env.XDG_STATE_HOME = state;
  const runWith = async (io: Partial<CliIo>, ...argv: readonly string[]): Promise<Ran> => {
    const captured = captureIo({ cwd: workspace, ...io });
    const code = await runCli(argv, captured.io);
    return { code, ...captured.text() };
  };
  return {
    workspace,
    state,
    write: async (name, text) => {
      const path = join(workspace, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      return path;
    },
    run: (...argv) => runWith({}, ...argv),
    runWith,
    remove: async () => {
      process.chdir(before);
      await rm(root, { recursive: true, force: true });
    },
  };
}

export function captureIo(overrides: Partial<CliIo> = {}): {
  readonly io: CliIo;
  readonly text: () => { readonly out: string; readonly err: string };
} {
  const written = { out: '', err: '' };
  const io: CliIo = {
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    stdin: stdinOf(''),
    env: {},
    cwd: process.cwd(),
    isWatched: false,
    interruption: () => new AbortController().signal,
    isInterrupted: () => false,
    ...overrides,
  };
  return { io, text: () => ({ ...written }) };
}

export async function* stdinOf(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}
