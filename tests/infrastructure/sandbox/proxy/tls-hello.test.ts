import { describe, expect, it } from '@jest/globals';
import { readClientHello } from '../../../../src/infrastructure/sandbox/proxy/tls-hello.js';
import { hello, inRecords, realHello, record, serverName } from './client-hello.js';

const ECH = 0xfe0d;
const NAMED = { kind: 'hello', serverName: 'listed.test', isEncrypted: false };

describe('readClientHello', () => {
  it('reads what a real client sends', async () => {
    expect(readClientHello(await realHello('listed.test'))).toEqual(NAMED);
    expect(readClientHello(await realHello())).toEqual({ kind: 'hello', isEncrypted: false });
  });

  it('waits for the rest wherever it is cut', async () => {
    const whole = await realHello('listed.test');
    for (let end = 0; end < whole.length; end += 1) {
      expect(readClientHello(whole.subarray(0, end))).toEqual({ kind: 'incomplete' });
    }
  });

  it.each([1, 2, 3, 100])('reads a hello in records of %d bytes', async (size) => {
    expect(readClientHello(inRecords(await realHello('listed.test'), size))).toEqual(NAMED);
  });

  it('is not misled by what follows', async () => {
    const whole = Buffer.concat([await realHello('listed.test'), Buffer.from('anything')]);
    expect(readClientHello(whole.subarray(0, -8))).toEqual(NAMED);
    expect(readClientHello(Buffer.concat([whole.subarray(0, -8), record(Buffer.from('more'))]))).toEqual(
      NAMED,
    );
  });

  it('sees that the name is encrypted', () => {
    const reading = readClientHello(hello([serverName('front.test'), [ECH, Buffer.alloc(40)]]));
    expect(reading).toEqual({ kind: 'hello', serverName: 'front.test', isEncrypted: true });
  });

  const twoNames = Buffer.concat([
    Buffer.from([0, 8, 0, 0, 1]),
    Buffer.from('a'),
    Buffer.from([0, 0, 1]),
    Buffer.from('b'),
  ]);
  it.each([
    ['two server names in two extensions', hello([serverName('a.test'), serverName('b.test')])],
    ['two server names in one', hello([[0, twoNames]])],
    ['a server name of another kind', hello([serverName('a.test', 1)])],
    ['an empty server name', hello([serverName('')])],
    ['an empty list of names', hello([[0, Buffer.from([0, 0])]])],
    ['a record that is no handshake', record(Buffer.from([1]), 23)],
    ['an empty record', record(Buffer.alloc(0))],
    ['a handshake that is no hello', record(Buffer.from([2, 0, 0, 0]))],
    [
      'a hello whose lengths do not fit',
      record(Buffer.concat([Buffer.from([1, 0, 0, 40]), Buffer.alloc(40, 255)])),
    ],
    [
      'another protocol in the second record',
      Buffer.concat([record(Buffer.from([1])), Buffer.from('GET / HTTP/1.1')]),
    ],
  ])('refuses %s', (_, bytes) => {
    expect(readClientHello(bytes)).toEqual({ kind: 'invalid', problem: expect.any(String) });
  });

  it('keeps no more than it must', () => {
    const endless = record(Buffer.concat([Buffer.from([1, 255, 255, 255]), Buffer.alloc(16_000)]));
    expect(readClientHello(endless)).toEqual({ kind: 'incomplete' });
    const more = Buffer.concat([endless, record(Buffer.alloc(1_000))]);
    expect(readClientHello(more)).toEqual({ kind: 'invalid', problem: expect.stringContaining('longer') });
  });

  it('never throws, whatever a byte is changed to', async () => {
    const whole = await realHello('listed.test');
    for (let at = 0; at < whole.length; at += 1) {
      for (const value of [0, 1, 127, 255]) {
        const changed = Buffer.from(whole);
        changed[at] = value;
        expect(['hello', 'invalid', 'incomplete']).toContain(readClientHello(changed).kind);
      }
    }
  });
});
