import type { CliTurn } from './cli-driver.js';

/** For a command line that takes one text: who it is and where it works comes first, once a session. */
export function promptWithSystem({ prompt, system, sessionId }: CliTurn): string {
  return system === undefined || sessionId !== undefined ? prompt : `${system}\n\n${prompt}`;
}
