import { execFile } from 'node:child_process';
import { messageOf } from '../../../domain/errors.js';
import type { CliDriver } from './cli-driver.js';

const WAIT_MS = 30_000;

/** Asks each program once which version it is. */
export class VersionCheck {
  readonly #asked = new Map<string, Promise<string | undefined>>();

  constructor(private readonly env: Readonly<Record<string, string | undefined>>) {}

  /** What should be known of the version, if something should. */
  problemOf(driver: CliDriver, program: string, signal: AbortSignal): Promise<string | undefined> {
    const known = this.#asked.get(program);
    if (known) return known;
    const asking = this.#ask(driver, program, signal);
    this.#asked.set(program, asking);
    return asking;
  }

  async #ask(driver: CliDriver, program: string, signal: AbortSignal): Promise<string | undefined> {
    const { name, testedVersion, npmPackage } = driver;
    const said = await this.#output(program, signal);
    const version = /(\d+)\.(\d+)\.(\d+)/.exec(said)?.[0];
    if (version === undefined) return `${program} does not say which version it is: ${said.slice(0, 200)}`;
    if (!isOlder(version, testedVersion)) return undefined;
    return `${name} ${version} is older than ${testedVersion}, which toolgate was tried with; npm install -g ${npmPackage}`;
  }

  #output(program: string, signal: AbortSignal): Promise<string> {
    const options = { env: { ...this.env }, timeout: WAIT_MS, signal, maxBuffer: 65_536 };
    return new Promise((resolve) => {
      execFile(program, ['--version'], options, (error, stdout) =>
        resolve(error ? messageOf(error) : stdout.trim()),
      );
    });
  }
}

/** By their numbers, the first that differs decides. */
function isOlder(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number));
  const index = left?.findIndex((number, place) => number !== right?.[place]) ?? -1;
  return index >= 0 && (left?.[index] ?? 0) < (right?.[index] ?? 0);
}
