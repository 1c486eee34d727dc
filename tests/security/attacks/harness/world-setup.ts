import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { Json, JsonObject } from '../../../../src/domain/json.js';
import { startFlipping } from './flipper.js';
import type { World } from './world.js';

type Setup = (value: Json, world: World) => void | Promise<void>;

/** Every kind of entry that a case's `setup` may have. */
const KINDS: Readonly<Record<string, Setup>> = {
  write: (value) => write(value),
  script: (value) => {
    const [path, content] = value as [string, string];
    write([path, `#!/bin/sh\n${content}\n`]);
    chmodSync(path, 0o755);
  },
  mkdir: (path) => void mkdirSync(String(path), { recursive: true }),
  symlink: (value) => {
    const [target, path] = value as [string, string];
    makeParent(path);
    symlinkSync(target, path);
  },
  hardlink: (value) => {
    const [target, path] = value as [string, string];
    linkSync(target, path);
  },
  mkfifo: (path) => void execFileSync('mkfifo', [String(path)]),
  mksock: listenAt,
  race: async (value, world) => {
    const { path, between } = value as { path: string; between: [string, string] };
    world.onLeave(await startFlipping(path, between));
  },
  http: (value, world) => world.internet.serve(value as JsonObject),
  dns: (value, world) => world.internet.name(value as Record<string, string[]>),
  env: (value, world) => world.setVariables(value as Record<string, string>),
  note: applyNote,
};

/** Makes the world what the case says. */
export async function setUp(world: World, entries: readonly JsonObject[]): Promise<void> {
  for (const entry of entries) {
    for (const [kind, value] of Object.entries(entry)) {
      const setup = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
      if (!setup) throw new Error(`unknown setup "${kind}"`);
      await setup(world.fill(value as Json), world);
    }
  }
}

function write(value: Json): void {
  const [path, content] = value as [string, string];
  makeParent(path);
  writeFileSync(path, content);
}

function makeParent(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
}

async function listenAt(path: Json, world: World): Promise<void> {
  const server = createServer().listen(String(path));
  await new Promise((resolve) => server.once('listening', resolve));
  world.onLeave(() => new Promise((resolve) => server.close(resolve)));
}

type Note = (found: RegExpExecArray, world: World) => void;

/** What the case says in words. A sentence that is not here is an error: nobody would have made it true. */
const NOTES: readonly (readonly [RegExp, Note])[] = [
  [/^policy root given as a symlink to the real root$/, () => undefined],
  [/^pre-create predictable /, () => undefined],
  [/^runs inside the kernel sandbox backend$/, () => undefined],
  [/^bwrap missing from PATH$/, withoutKernel],
  [/^userns disabled/, withoutKernel],
  [/^host holds (\S+) open as fd (\d+)$/, holdOpen],
  [/^approval is pending for \S+; meanwhile (\S+) is replaced by a symlink to (\S+)$/, swapWhileAsked],
];

function applyNote(value: Json, world: World): void {
  for (const [form, apply] of NOTES) {
    const found = form.exec(String(value));
    if (!found) continue;
    apply(found, world);
    return;
  }
  throw new Error(`nobody knows how to make this true: "${String(value)}"`);
}

function withoutKernel(_found: RegExpExecArray, world: World): void {
  world.kernelIsMissing = true;
}

function holdOpen([, path = '', number = '']: RegExpExecArray, world: World): void {
  const descriptor = openSync(path, 'r');
  world.replace(`/dev/fd/${number}`, `/dev/fd/${descriptor}`);
  world.onLeave(() => closeSync(descriptor));
}

function swapWhileAsked([, path = '', target = '']: RegExpExecArray, world: World): void {
  world.whileAsked = () => {
    renameSync(path, `${path}.before`);
    symlinkSync(target, path);
  };
}
