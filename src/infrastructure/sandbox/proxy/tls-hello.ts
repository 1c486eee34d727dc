/** What the first bytes of a TLS connection say in the clear. */
export type HelloReading =
  /** It goes on beyond what has arrived. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'invalid'; readonly problem: string }
  | { readonly kind: 'hello'; readonly serverName?: string; readonly isEncrypted: boolean };

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const ENCRYPTED_CLIENT_HELLO = 0xfe0d;
const HOST_NAME = 0;

const RECORD_HEADER = 5;
const HANDSHAKE_HEADER = 4;
const MAX_RECORD = 16_384;
/** Of all that is kept before anything is passed on, records and all. */
const MAX_HELLO = 16_384;

/** Whether these bytes begin as TLS does: a handshake record of version 3. */
export function startsAsTls(bytes: Buffer): boolean {
  return bytes[0] === HANDSHAKE && (bytes.length === 1 || bytes[1] === 3);
}

/** Reads a ClientHello, which may be spread over several records. What is not exactly one is invalid. */
export function readClientHello(bytes: Buffer): HelloReading {
  try {
    const body = helloBody(joinRecords(bytes));
    if (body) return readBody(body);
    if (bytes.length > MAX_HELLO) throw new HelloProblem(`its ClientHello is longer than ${MAX_HELLO} bytes`);
    return { kind: 'incomplete' };
  } catch (error) {
    if (error instanceof HelloProblem) return { kind: 'invalid', problem: error.message };
    throw error;
  }
}

/** The handshake's bytes without the records around them, as far as they have arrived. */
function joinRecords(bytes: Buffer): Buffer {
  const fragments: Buffer[] = [];
  let at = 0;
  while (bytes.length - at >= RECORD_HEADER) {
    const length = bytes.readUInt16BE(at + 3);
    if (!startsAsTls(bytes.subarray(at)) || length === 0 || length > MAX_RECORD) {
      throw new HelloProblem('its records are not those of a ClientHello');
    }
    fragments.push(bytes.subarray(at + RECORD_HEADER, at + RECORD_HEADER + length));
    at += RECORD_HEADER + length;
  }
  return Buffer.concat(fragments);
}

/** Undefined while some of it is missing. */
function helloBody(handshake: Buffer): Buffer | undefined {
  if (handshake.length < HANDSHAKE_HEADER) return undefined;
  if (handshake[0] !== CLIENT_HELLO) throw new HelloProblem('it does not begin with a ClientHello');
  const end = HANDSHAKE_HEADER + handshake.readUIntBE(1, 3);
  return handshake.length < end ? undefined : handshake.subarray(HANDSHAKE_HEADER, end);
}

function readBody(body: Buffer): HelloReading {
  const fields = new Fields(body);
  fields.skip(2 + 32); // version and random
  fields.vector(1); // session
  fields.vector(2); // cipher suites
  fields.vector(1); // compression
  if (fields.isAtEnd) return { kind: 'hello', isEncrypted: false };
  const extensions = readExtensions(new Fields(fields.vector(2)));
  if (!fields.isAtEnd) throw new HelloProblem('its ClientHello has something after its end');
  const name = extensions.get(SERVER_NAME);
  return {
    kind: 'hello',
    ...(name ? { serverName: readServerName(new Fields(name)) } : {}),
    isEncrypted: extensions.has(ENCRYPTED_CLIENT_HELLO),
  };
}

function readExtensions(fields: Fields): ReadonlyMap<number, Buffer> {
  const extensions = new Map<number, Buffer>();
  while (!fields.isAtEnd) {
    const type = fields.number(2);
    // Which of the two a server would take is anybody's guess.
    if (extensions.has(type)) throw new HelloProblem('its ClientHello has an extension twice');
    extensions.set(type, fields.vector(2));
  }
  return extensions;
}

function readServerName(extension: Fields): string {
  const list = new Fields(extension.vector(2));
  const type = list.number(1);
  const name = list.vector(2).toString('latin1');
  if (type !== HOST_NAME || name === '' || !list.isAtEnd || !extension.isAtEnd) {
    throw new HelloProblem('its server name cannot be read');
  }
  return name;
}

/** Reads what TLS is made of, and throws a HelloProblem where it ends too early. */
class Fields {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.#at === this.bytes.length;
  }

  number(size: number): number {
    return this.skip(size).readUIntBE(0, size);
  }

  /** A field that is preceded by its length in `size` bytes. */
  vector(size: number): Buffer {
    return this.skip(this.number(size));
  }

  skip(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.bytes.length) throw new HelloProblem('its ClientHello cannot be read');
    const field = this.bytes.subarray(this.#at, end);
    this.#at = end;
    return field;
  }
}

class HelloProblem extends Error {}
