import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';

/** The first bytes that a real TLS client sends. */
export async function realHello(servername?: string): Promise<Buffer> {
  let emit: (bytes: Buffer) => void = () => undefined;
  const sent = new Promise<Buffer>((resolve) => {
    emit = resolve;
  });
  const wire = new Duplex({ read() {}, write: (chunk: Buffer) => emit(chunk) });
  const client = connect({ socket: wire, ...(servername === undefined ? {} : { servername }) });
  client.on('error', () => undefined);
  try {
    return await sent;
  } finally {
    client.destroy();
    await once(client, 'close');
  }
}

/** A ClientHello with these extensions and nothing else of interest. */
export function hello(extensions: readonly (readonly [type: number, content: Buffer])[]): Buffer {
  const list = extensions.map(([type, content]) => Buffer.concat([number(type, 2), vector(content, 2)]));
  const body = Buffer.concat([
    Buffer.from([3, 3]),
    Buffer.alloc(32, 7),
    vector(Buffer.alloc(32), 1),
    vector(Buffer.from([0x13, 0x01]), 2),
    vector(Buffer.from([0]), 1),
    vector(Buffer.concat(list), 2),
  ]);
  return record(Buffer.concat([Buffer.from([1]), vector(body, 3)]));
}

export function serverName(name: string, type = 0): readonly [number, Buffer] {
  return [0, vector(Buffer.concat([Buffer.from([type]), vector(Buffer.from(name, 'latin1'), 2)]), 2)];
}

export function record(content: Buffer, type = 22): Buffer {
  return Buffer.concat([Buffer.from([type, 3, 1]), vector(content, 2)]);
}

/** The same handshake in records of at most `size` bytes. */
export function inRecords(bytes: Buffer, size: number): Buffer {
  const content = bytes.subarray(5);
  const count = Math.ceil(content.length / size);
  return Buffer.concat(
    Array.from({ length: count }, (_, index) => record(content.subarray(index * size, (index + 1) * size))),
  );
}

function vector(content: Buffer, size: number): Buffer {
  return Buffer.concat([number(content.length, size), content]);
}

function number(value: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
}
