import { closeSync, openSync, readSync } from 'node:fs';

/** How the kernel would start a file: by itself, through a loader, or by handing it to another program. */
export type ProgramFile =
  | { readonly kind: 'static' }
  | { readonly kind: 'dynamic'; readonly loader: string }
  | { readonly kind: 'script'; readonly interpreter: string }
  | { readonly kind: 'unknown' };

const HEADER_BYTES = 64;
const ENTRY_BYTES = 56;
const MAX_ENTRIES = 256;
const MAX_PATH_BYTES = 4_096;
/** ELF, 64 bits, little endian: all that runs under a filter of ours. */
const ELF_64_LITTLE = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
const PT_INTERP = 3;

type Reader = (offset: number, length: number) => Buffer;

/** Looks at the file's own head; throws what the system says if it cannot be read. */
export function readProgramFile(path: string): ProgramFile {
  const descriptor = openSync(path, 'r');
  try {
    return parse((offset, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
    });
  } finally {
    closeSync(descriptor);
  }
}

function parse(read: Reader): ProgramFile {
  const header = read(0, HEADER_BYTES);
  if (header.subarray(0, 2).toString('latin1') === '#!') {
    const [line = ''] = read(2, MAX_PATH_BYTES).toString('utf8').split('\n');
    return { kind: 'script', interpreter: line.trim() };
  }
  const isElf = header.length === HEADER_BYTES && header.subarray(0, 6).equals(ELF_64_LITTLE);
  return isElf ? parseElf(header, read) : { kind: 'unknown' };
}

function parseElf(header: Buffer, read: Reader): ProgramFile {
  const tableAt = Number(header.readBigUInt64LE(32));
  const entryBytes = header.readUInt16LE(54);
  const count = header.readUInt16LE(56);
  if (entryBytes !== ENTRY_BYTES || count > MAX_ENTRIES || !Number.isSafeInteger(tableAt)) {
    return { kind: 'unknown' };
  }
  const table = read(tableAt, count * ENTRY_BYTES);
  for (let at = 0; at + ENTRY_BYTES <= table.length; at += ENTRY_BYTES) {
    if (table.readUInt32LE(at) !== PT_INTERP) continue;
    const [offset, length] = [table.readBigUInt64LE(at + 8), table.readBigUInt64LE(at + 32)];
    if (length > MAX_PATH_BYTES || offset > Number.MAX_SAFE_INTEGER) return { kind: 'unknown' };
    const loader = read(Number(offset), Number(length)).toString('utf8').split('\0')[0] ?? '';
    return loader.startsWith('/') ? { kind: 'dynamic', loader } : { kind: 'unknown' };
  }
  return { kind: 'static' };
}
