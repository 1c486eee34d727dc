import { Problems } from './problems.js';
import { SourceText } from './source-text.js';

// What YAML calls printable leaves these out; in a terminal some of them are commands.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0080-\u0084\u0086-\u009f\ufffe\uffff]/;

/** A file's bytes as text. What is not UTF-8, or not text, is refused with its place. */
export function decodeText(file: string, bytes: Uint8Array): SourceText {
  const text = decode(bytes);
  if (text === undefined) return refuseBytes(file, bytes);
  const source = new SourceText(file, text);
  const control = CONTROL.exec(text);
  return control ? refuseCharacter(source, control.index) : source;
}

function decode(bytes: Uint8Array, options: { readonly stream?: boolean } = {}): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, options);
  } catch {
    return undefined;
  }
}

function refuseBytes(file: string, bytes: Uint8Array): never {
  const good = decode(bytes.subarray(0, validPrefix(bytes)), { stream: true }) ?? '';
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const source = new SourceText(file, isUtf16 ? '' : new TextDecoder('utf-8').decode(bytes));
  return new Problems(source).fail(good.length, {
    code: 'WORKFLOW.PARSE.ENCODING',
    message: isUtf16 ? 'the file is UTF-16' : 'the file is not UTF-8 here',
    suggestion: () => 'save it as UTF-8',
  });
}

function refuseCharacter(source: SourceText, offset: number): never {
  const code = source.text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0');
  return new Problems(source).fail(offset, {
    code: 'WORKFLOW.PARSE.ENCODING',
    message: `the control character U+${code} may not be in a workflow`,
    suggestion: () => 'if it is meant, write it as an escape in double quotes, such as "\\e"',
  });
}

/** How many bytes from the start are UTF-8; a character may be cut off at the end. */
function validPrefix(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (decode(bytes.subarray(0, middle), { stream: true }) === undefined) high = middle - 1;
    else low = middle;
  }
  return low;
}
