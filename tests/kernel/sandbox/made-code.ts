/** Where its memory begins that is written when it is loaded, and then run. */
const CODE_AT = 0x2000;
const TABLES_AT = 0x400;

const [PT_LOAD, PT_DYNAMIC] = [1, 2];
const [READ_WRITE, ALL] = [6, 7];
const DT_NEEDED = 1;
const [DT_STRTAB, DT_SYMTAB, DT_RELA, DT_RELASZ, DT_RELAENT, DT_STRSZ, DT_SYMENT] = [5, 6, 7, 8, 9, 10, 11];
const R_X86_64_64 = 1n;
const SHN_ABS = 0xfff1;

/**
 * A program for x64 that no part of its file holds: the loader makes its code, as values that it is to fill in while
 * loading. Nothing of the file is mapped as code, so that `noexec` alone does not keep it from running.
 */
export function madeCodeProgram(message: string): Buffer {
  const code = machineCode(message);
  const words = Array.from({ length: Math.ceil(code.length / 8) }, (_, index) =>
    Buffer.concat([code, Buffer.alloc(8)]).readBigInt64LE(index * 8),
  );
  const symbols = Buffer.alloc(48);
  symbols.writeUInt16LE(SHN_ABS, 24 + 6);
  const [symbolsAt, textAt] = [TABLES_AT, TABLES_AT + symbols.length];
  // Without a library the loader would leave it to the kernel.
  const text = Buffer.from('\0libc.so.6\0'.padEnd(16, '\0'));
  const relocationsAt = textAt + text.length;
  const relocations = Buffer.concat(
    words.map((word, index) => quads(BigInt(CODE_AT + index * 8), (1n << 32n) | R_X86_64_64, word)),
  );
  const dynamicAt = relocationsAt + relocations.length;
  const dynamic = quads(
    ...[DT_NEEDED, 1, DT_STRTAB, textAt, DT_STRSZ, text.length, DT_SYMTAB, symbolsAt, DT_SYMENT, 24].map(
      BigInt,
    ),
    ...[DT_RELA, relocationsAt, DT_RELASZ, relocations.length, DT_RELAENT, 24, 0, 0].map(BigInt),
  );
  const bytes = dynamicAt + dynamic.length;
  const headers = Buffer.concat([
    elfHeader(3),
    segment({ type: PT_LOAD, flags: READ_WRITE, at: 0, fileBytes: bytes, memoryBytes: bytes }),
    segment({ type: PT_LOAD, flags: ALL, at: CODE_AT, fileBytes: 0, memoryBytes: 0x1000 }),
    segment({
      type: PT_DYNAMIC,
      flags: READ_WRITE,
      at: dynamicAt,
      fileBytes: dynamic.length,
      memoryBytes: dynamic.length,
    }),
  ]);
  const padding = Buffer.alloc(TABLES_AT - headers.length);
  return Buffer.concat([headers, padding, symbols, text, relocations, dynamic]);
}

/** write(1, message), exit(0) */
function machineCode(message: string): Buffer {
  const text = Buffer.from(message);
  const code = Buffer.from('b801000000bf01000000488d3500000000ba000000000f05b83c00000031ff0f05', 'hex');
  code.writeUInt32LE(code.length - 17, 13);
  code.writeUInt32LE(text.length, 18);
  return Buffer.concat([code, text]);
}

function elfHeader(segments: number): Buffer {
  const header = Buffer.alloc(64);
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(header);
  header.writeUInt16LE(3, 16); // ET_DYN
  header.writeUInt16LE(62, 18); // x86-64
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BigInt(CODE_AT), 24);
  header.writeBigUInt64LE(64n, 32);
  header.writeUInt16LE(64, 52);
  header.writeUInt16LE(56, 54);
  header.writeUInt16LE(segments, 56);
  return header;
}

interface Segment {
  readonly type: number;
  readonly flags: number;
  readonly at: number;
  readonly fileBytes: number;
  readonly memoryBytes: number;
}

function segment({ type, flags, at, fileBytes, memoryBytes }: Segment): Buffer {
  const sizes = [fileBytes === 0 ? 0 : at, at, at, fileBytes, memoryBytes, 0x1000].map(BigInt);
  const kind = Buffer.alloc(8);
  kind.writeUInt32LE(type, 0);
  kind.writeUInt32LE(flags, 4);
  return Buffer.concat([kind, quads(...sizes)]);
}

function quads(...values: readonly bigint[]): Buffer {
  const buffer = Buffer.alloc(values.length * 8);
  for (const [index, value] of values.entries()) buffer.writeBigInt64LE(value, index * 8);
  return buffer;
}
