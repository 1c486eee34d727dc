import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../../../../src/domain/json.js';
import { mapTexts } from './attack-case.js';
import { Internet } from './internet.js';
import { contentsOf } from './outside.js';

/** The folders one attack plays in, the network it sees, and what was put there for it. */
export class World {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'attack-')));
  readonly root = join(this.base, 'root');
  readonly out = join(this.base, 'out');
  readonly home = join(this.base, 'home');
  readonly state = join(this.base, 'state');
  readonly internet = new Internet();
  /** Set where the attack is about a machine without the kernel layer. */
  kernelIsMissing = false;
  /** Done while a person thinks about the call. */
  whileAsked: () => void = () => {};
  readonly #placeholders: [string, string][];
  readonly #undo: (() => unknown)[] = [];
  readonly #environment = { ...process.env };
  #before = new Map<string, string>();

  constructor() {
    for (const folder of [join(this.root, 'src'), this.out, this.home]) {
      mkdirSync(folder, { recursive: true });
    }
    writeFileSync(join(this.root, 'src/ok.txt'), 'OK');
    const rootLink = join(this.base, 'rootlink');
    symlinkSync(this.root, rootLink);
    this.#placeholders = [
      ['{ROOTLINK}', rootLink],
      ['{ROOT}', this.root],
      ['{OUT}', this.out],
      ['{HOME}', this.home],
      ['{PID}', String(process.pid)],
    ];
    this.setVariables({ HOME: this.home, XDG_STATE_HOME: this.state });
  }

  /** Makes a text of the case mean something else here. */
  replace(text: string, by: string): void {
    this.#placeholders.push([text, by]);
  }

  /** The same value with its placeholders filled in. */
  fill<T extends Json>(value: T): T {
    const fillText = (text: string) =>
      this.#placeholders.reduce((filled, [name, by]) => filled.replaceAll(name, by), text);
    return mapTexts(value, fillText) as T;
  }

  setVariables(variables: Readonly<Record<string, string>>): void {
    Object.assign(process.env, variables);
  }

  /** Undone, newest first, when the attack is over. */
  onLeave(undo: () => unknown): void {
    this.#undo.push(undo);
  }

  /** Remembers everything that lies outside of the workspace. */
  remember(): void {
    this.#before = contentsOf(this.base, [this.root, this.state]);
  }

  /** What is no longer outside as it was. */
  harm(): readonly string[] {
    const after = contentsOf(this.base, [this.root, this.state]);
    const paths = new Set([...this.#before.keys(), ...after.keys()]);
    return [...paths].filter((path) => this.#before.get(path) !== after.get(path));
  }

  /** The audit trail of whatever ran here. */
  trail(): string {
    const paths = [...contentsOf(this.state, []).keys()].filter((path) => path.endsWith('/audit.jsonl'));
    const files = paths.filter((path) => lstatSync(path).isFile());
    return files.map((path) => readFileSync(path, 'utf8')).join('');
  }

  async leave(): Promise<void> {
    for (const undo of this.#undo.splice(0).reverse()) await undo();
    await this.internet.close();
    for (const name of Object.keys(process.env)) {
      if (!(name in this.#environment)) Reflect.deleteProperty(process.env, name);
    }
    Object.assign(process.env, this.#environment);
    remove(this.base);
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A tree that is deeper than any path is long: rm goes down step by step.
    spawnSync('/bin/rm', ['-rf', '--', folder], { stdio: 'ignore' });
  }
}
