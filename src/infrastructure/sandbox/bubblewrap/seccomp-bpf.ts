/** One instruction of the kernel's classic BPF, `struct sock_filter`. */
export interface Instruction {
  readonly code: number;
  readonly jumpTrue: number;
  readonly jumpFalse: number;
  readonly k: number;
}

/** Instructions that begin with the number of the system call loaded and always end in a verdict. */
export type Block = readonly Instruction[];

const LOAD_WORD = 0x20;
const AND = 0x54;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER = 0x25;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

// Offsets in struct seccomp_data.
const NUMBER = 0;
const ARCHITECTURE = 4;
const ARGUMENTS = 16;

const MAX_JUMP = 0xff;
const INSTRUCTION_BYTES = 8;

export const ALLOW = verdict(0x7fff0000);
export const KILL_PROCESS = verdict(0x80000000);
export const REFUSE = verdict(0x00050000 | 1); // EPERM
/** As a kernel answers that does not know the call: a C library then takes an older one instead. */
export const UNKNOWN = verdict(0x00050000 | 38); // ENOSYS

export const loadNumber = statement(LOAD_WORD, NUMBER);
export const loadArchitecture = statement(LOAD_WORD, ARCHITECTURE);

/** The low half of an argument: all that the kernel reads of the `int` arguments that are compared here. */
export function loadArgument(index: number): Instruction {
  return statement(LOAD_WORD, ARGUMENTS + index * 8);
}

export function keepBits(mask: number): Instruction {
  return statement(AND, mask);
}

/** Goes through `then` where the loaded value equals `value`, past it otherwise. */
export function ifEqual(value: number, then: Block): Block {
  return [{ code: JUMP_EQUAL, jumpTrue: 0, jumpFalse: jumpOver(then), k: value }, ...then];
}

export function unlessEqual(value: number, otherwise: Block): Block {
  return unlessOneOf([value], otherwise);
}

export function ifGreater(value: number, then: Block): Block {
  return [{ code: JUMP_GREATER, jumpTrue: 0, jumpFalse: jumpOver(then), k: value }, ...then];
}

export function ifAnyBit(mask: number, then: Block): Block {
  return [{ code: JUMP_ANY_BIT, jumpTrue: 0, jumpFalse: jumpOver(then), k: mask }, ...then];
}

/** Goes on past `otherwise` with one of these values, and through it with any other. */
export function unlessOneOf(values: readonly number[], otherwise: Block): Block {
  return values
    .map((value, index) => ({
      code: JUMP_EQUAL,
      jumpTrue: values.length - 1 - index + jumpOver(otherwise),
      jumpFalse: 0,
      k: value,
    }))
    .concat(otherwise);
}

/** The bytes that the kernel takes, little endian as both architectures are. */
export function assemble(program: Block): Buffer {
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES);
  for (const [index, { code, jumpTrue, jumpFalse, k }] of program.entries()) {
    const at = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(jumpTrue, at + 2);
    bytes.writeUInt8(jumpFalse, at + 3);
    bytes.writeUInt32LE(k >>> 0, at + 4);
  }
  return bytes;
}

function statement(code: number, k: number): Instruction {
  return { code, jumpTrue: 0, jumpFalse: 0, k };
}

function verdict(value: number): Instruction {
  return statement(RETURN, value);
}

function jumpOver(block: Block): number {
  if (block.length > MAX_JUMP) throw new RangeError(`A jump over ${block.length} instructions is too far`);
  return block.length;
}
