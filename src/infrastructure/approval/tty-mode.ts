import { spawnSync } from 'node:child_process';

/** A terminal's mode as `stty` writes it; undefined where that cannot be told. */
export function modeOf(keyboard: number): string | undefined {
  const { status, stdout } = spawnSync('stty', ['-g'], {
    stdio: [keyboard, 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : undefined;
}

/** A program that is killed leaves the terminal in whatever mode it had set. */
export function restoreMode(keyboard: number, mode: string | undefined): void {
  if (mode !== undefined) spawnSync('stty', [mode], { stdio: [keyboard, 'ignore', 'ignore'] });
}
