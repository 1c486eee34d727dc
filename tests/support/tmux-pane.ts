import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface PaneOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A real terminal of its own, with a program in it that is typed to and read from. */
export class TmuxPane implements Disposable {
  readonly #socket: string;
  readonly #folder: string;

  constructor(command: readonly string[], { columns = 80, rows = 40, env = {} }: PaneOptions = {}) {
    requireTmux();
    this.#folder = mkdtempSync(join(tmpdir(), 'tmux-'));
    this.#socket = join(this.#folder, 'socket');
    const variables = Object.entries({ PS1: '$ ', PAGER: '', NO_COLOR: '1', ...env });
    // A shell below it, so that there is a job to stop and to continue, and a screen to read at the end.
    this.#tmux(
      ...['-f', '/dev/null', 'new-session', '-d', '-x', String(columns), '-y', String(rows)],
      ...variables.flatMap(([name, value]) => ['-e', `${name}=${value}`]),
      ...['/bin/bash', '--norc', '--noprofile'],
    );
    this.#tmux('set-option', '-g', 'status', 'off');
    this.type(`clear; ${command.map((word) => `'${word}'`).join(' ')}`, 'Enter');
  }

  /** Keys by the names that tmux has for them, or text. */
  type(...keys: readonly string[]): void {
    this.#tmux('send-keys', ...keys);
  }

  /** Text in one piece, as from a clipboard. */
  paste(text: string): void {
    this.#tmux('set-buffer', text);
    this.#tmux('paste-buffer');
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** What a person sees. */
  screen(): string {
    return this.#tmux('capture-pane', '-p');
  }

  /** All that was ever on it, with the colours that it has. */
  history(): string {
    return this.#tmux('capture-pane', '-p', '-e', '-S', '-');
  }

  async shows(text: string | RegExp): Promise<string> {
    for (;;) {
      const screen = this.screen();
      if (typeof text === 'string' ? screen.includes(text) : text.test(screen)) return screen;
      await delay(25);
    }
  }

  /** Closes the window; whatever runs in it is hung up. */
  close(): void {
    this.#tmux('kill-session');
  }

  [Symbol.dispose](): void {
    spawnSync('tmux', ['-S', this.#socket, 'kill-server'], { stdio: 'ignore' });
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync('tmux', ['-S', this.#socket, ...args], { encoding: 'utf8' });
  }
}

function requireTmux(): void {
  if (spawnSync('tmux', ['-V']).status === 0) return;
  throw new Error('tmux is missing, which is the terminal of these tests: apt-get install tmux (as root)');
}
