import { appendFileSync, chmodSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { messageOf, ToolgateError } from '../../../domain/errors.js';
import { assertHeader, assertPlainFile } from './read-recording.js';
import { HEADER } from './recorded-exchange.js';

const OWNER_ONLY = 0o600;

/** A recording that is being written, a line at a time; each is there when `append` returns. */
export class RecordingFile {
  private constructor(private readonly file: string) {}

  /** Begins a recording, or goes on with one. A file that is something else is left as it is. */
  static open(file: string, mode: 'create' | 'continue'): RecordingFile {
    return writing(file, () => {
      const text = assertPlainFile(file) ? readFileSync(file, 'utf8') : '';
      if (text !== '') assertHeader(text.slice(0, Math.max(0, text.indexOf('\n'))), file);
      if (mode === 'create' || text === '')
        writeFileSync(file, `${JSON.stringify(HEADER)}\n`, { mode: OWNER_ONLY });
      // Half a line that a crash left would make the next one unreadable too.
      else truncateSync(file, Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1)));
      chmodSync(file, OWNER_ONLY);
      return new RecordingFile(file);
    });
  }

  append(line: object): void {
    writing(this.file, () => appendFileSync(this.file, `${JSON.stringify(line)}\n`, { mode: OWNER_ONLY }));
  }
}

function writing<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    if (cause instanceof ToolgateError) throw cause;
    const message = `The recording ${file} cannot be written: ${messageOf(cause)}`;
    throw new ToolgateError('SYSTEM.IO.WRITE_FAILED', message, { cause });
  }
}
