const ESCAPE = '\u001b';
// Sequences that move, colour or name: CSI, OSC, the strings (DCS, SOS, PM, APC), and the short ones.
const SEQUENCE =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[PX^_][^\u001b]*\u001b\\|[ -/]*[0-OQ-WYZ\\`-~])/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** A longer one is no sequence: it is let through as text, so that nothing waits for an end that never comes. */
const LONGEST_SEQUENCE = 4096;

/** A program's output as plain text: without colours and cursor movements, however it was cut into pieces. */
export class PlainOutput {
  #held = '';

  push(chunk: string): string {
    const text = this.#held + chunk;
    const end = settledLength(text);
    this.#held = text.slice(end);
    return plain(text.slice(0, end));
  }

  end(): string {
    const rest = plain(this.#held);
    this.#held = '';
    return rest;
  }
}

/** All of a text as plain text. */
export function plain(text: string): string {
  return text.replace(SEQUENCE, '').replace(/\r\n?/g, '\n').replace(CONTROLS, '');
}

/** How far a text means the same whatever follows it. */
function settledLength(text: string): number {
  const start = lastStart(text);
  if (start < 0) return text.endsWith('\r') ? text.length - 1 : text.length;
  const isOpen = text.slice(start).replace(SEQUENCE, '').startsWith(ESCAPE);
  return isOpen && text.length - start < LONGEST_SEQUENCE ? start : text.length;
}

/** The first escape of the last sequence: `ESC \` may be the end of one that began earlier. */
function lastStart(text: string): number {
  const last = text.lastIndexOf(ESCAPE);
  if (last < 1 || text.length - last > 2) return last;
  const before = text.lastIndexOf(ESCAPE, last - 1);
  return before >= 0 && /^\u001b[\]PX^_]/.test(text.slice(before)) ? before : last;
}
