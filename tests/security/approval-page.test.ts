import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requestFor } from '../support/fake-terminal.js';
import { PageFixture } from '../support/page-fixture.js';

let fixture: PageFixture;

beforeEach(async () => {
  fixture = await PageFixture.open();
});

afterEach(() => fixture.page.close('it ended'));

const YES = { plan_hash: 'hash-1', answer: 'once' };

/** That a question still waits is how we know that an attack approved nothing. */
async function stillWaits(id: string): Promise<boolean> {
  return (await fixture.waiting()).some((question) => question.id === id);
}

describe('an approval page under attack', () => {
  it.each([
    ['no token', {}],
    ['a wrong one', { authorization: `Bearer ${'A'.repeat(43)}` }],
    ['half of one', { authorization: 'Bearer ' }],
    ['one that is no bearer token', { authorization: 'Basic eDp4' }],
  ])('tells nothing and takes nothing for %s', async (_, headers) => {
    void fixture.ask(requestFor());
    const id = await fixture.firstId();
    const paths = ['/api/waiting', '/api/events', `/api/waiting/${id}`, '/anything'];
    for (const path of paths) expect((await fixture.send(path, { headers })).status).toBe(401);
    const reply = await fixture.send(`/api/waiting/${id}`, {
      ...{ method: 'POST', body: JSON.stringify(YES) },
      headers: { 'content-type': 'application/json', ...headers },
    });
    expect(reply.status).toBe(401);
    expect(await stillWaits(id)).toBe(true);
  });

  it.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1:1'])(
    'does not answer under the name %j, also with the token',
    async (host) => {
      const headers = { ...fixture.authorization, host };
      expect((await fixture.send('/', { headers })).status).toBe(403);
      expect((await fixture.send('/api/waiting', { headers })).status).toBe(403);
    },
  );

  it.each([
    ['a foreign origin', { origin: 'http://evil.example' }],
    ['the same name on another port', { origin: 'http://127.0.0.1:1' }],
    ['no origin at all', { origin: 'null' }],
    ['another site, as the browser tells', { 'sec-fetch-site': 'cross-site' }],
    ['another port, as the browser tells', { 'sec-fetch-site': 'same-site' }],
  ])('takes no answer from %s', async (_, headers) => {
    void fixture.ask(requestFor());
    const id = await fixture.firstId();
    expect((await fixture.answer(id, YES, headers)).status).toBe(403);
    expect(await stillWaits(id)).toBe(true);
  });

  it('lets no other site read it', async () => {
    const { headers } = await fixture.send('/');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'; script-src 'nonce-.*'; .*frame-ancestors 'none'/,
    );
    expect(headers).toMatchObject({
      ...{ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store', 'x-frame-options': 'DENY' },
    });
    expect((await fixture.send('/api/waiting', { method: 'OPTIONS' })).status).toBe(401);
  });

  it.each([
    ['a form', 'application/x-www-form-urlencoded'],
    ['plain text', 'text/plain'],
    ['nothing said', ''],
  ])('takes no answer as %s', async (_, type) => {
    void fixture.ask(requestFor());
    const id = await fixture.firstId();
    expect((await fixture.answer(id, YES, { 'content-type': type })).status).toBe(415);
    expect(await stillWaits(id)).toBe(true);
  });

  it.each([
    ['broken JSON', '{"plan_hash":"hash-1","answer":"once"'],
    ['no object', '["once"]'],
    ['no plan', '{"answer":"once"}'],
    ['no answer', '{"plan_hash":"hash-1"}'],
    ['an answer that is none', '{"plan_hash":"hash-1","answer":"constructor"}'],
    ['more than it can mean', '{"plan_hash":"hash-1","answer":"once","approved":true}'],
    ['arguments with another answer', '{"plan_hash":"hash-1","answer":"once","arguments":{}}'],
    ['arguments that are none', '{"plan_hash":"hash-1","answer":"edit","arguments":[]}'],
    ['a rule where there is none', '{"plan_hash":"hash-1","answer":"always","rule":true}'],
    ['a rule of its own', '{"plan_hash":"hash-1","answer":"always","rule":{"command":["rm"]}}'],
    ['a name that is none', '{"plan_hash":"hash-1","answer":"once","by":{}}'],
    ['letters that are none', Buffer.from([0x22, 0xff, 0x22]).toString('latin1')],
  ])('takes %s for no answer', async (_, body) => {
    void fixture.ask(requestFor());
    const id = await fixture.firstId();
    expect((await fixture.answer(id, body)).status).toBe(400);
    expect(await stillWaits(id)).toBe(true);
  });

  it('does not read on when an answer is too long', async () => {
    void fixture.ask(requestFor());
    const id = await fixture.firstId();
    const body = JSON.stringify({ ...YES, reason: 'x'.repeat(3 * 1024 * 1024) });
    const reply = await fixture.answer(id, body).catch(() => ({ status: 413 }));
    expect(reply.status).toBe(413);
    expect(await stillWaits(id)).toBe(true);
  });

  it('takes the first of two answers at once, and tells the other', async () => {
    const asked = fixture.ask(requestFor());
    const id = await fixture.firstId();
    const answers = [YES, { ...YES, answer: 'deny' }].map((answer) => fixture.answer(id, answer));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect([...statuses].sort()).toEqual([200, 409]);
    expect((await asked).kind).toBe(statuses[0] === 200 ? 'approved' : 'denied');
  });

  it('takes an answer once: replayed, it is late', async () => {
    void fixture.ask(requestFor());
    const id = await fixture.firstId();
    expect((await fixture.answer(id, YES)).status).toBe(200);
    void fixture.ask(requestFor());
    expect((await fixture.answer(id, YES)).status).toBe(409);
    expect(await fixture.waiting()).toHaveLength(1);
  });

  it('approves neither of two questions when their ids are swapped', async () => {
    for (const planHash of ['a', 'b']) void fixture.ask(requestFor({ planHash }));
    const [a, b] = await fixture.waiting();
    expect((await fixture.answer(a?.id ?? '', { ...YES, plan_hash: 'b' })).status).toBe(422);
    expect((await fixture.answer(b?.id ?? '', { ...YES, plan_hash: 'a' })).status).toBe(422);
    expect(await fixture.waiting()).toHaveLength(2);
  });

  it('takes no answer to a question that was withdrawn, nor to one that never was', async () => {
    const stop = new AbortController();
    const asked = fixture.ask(requestFor(), stop.signal);
    const id = await fixture.firstId();
    stop.abort();
    expect((await fixture.answer(id, YES)).status).toBe(410);
    expect((await asked).kind).toBe('denied');
    expect((await fixture.answer('never', YES)).status).toBe(404);
  });

  it('gives a call in doubt no yes that lasts', async () => {
    void fixture.ask(requestFor({ reason: { kind: 'in-doubt', text: 'it died' } }));
    const id = await fixture.firstId();
    expect((await fixture.answer(id, { ...YES, answer: 'always' })).status).toBe(400);
    expect(await stillWaits(id)).toBe(true);
  });

  it('spells out in the list what cannot be seen', async () => {
    void fixture.ask(requestFor({ arguments: { text: 'a\u202eb\u200bc' } }));
    expect((await fixture.waiting())[0]?.what).toBe('{"text":"a\\u{202e}b\\u{200b}c"}');
  });

  it('refuses arguments that are nested too deep, and goes on', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const body = `{"plan_hash":"hash-1","answer":"edit","arguments":{"a":${deep}}}`;
    void fixture.ask(requestFor());
    const id = await fixture.firstId();
    expect((await fixture.answer(id, body)).status).toBe(400);
    expect(await stillWaits(id)).toBe(true);
  });

  it('gives a place that is held by half a request free again', async () => {
    const { port } = new URL(fixture.page.link);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: 127');
    let reply = '';
    for await (const chunk of socket) reply += String(chunk);
    expect(reply).toMatch(/^HTTP\/1\.1 408/);
  }, 30_000);

  it.each(['GET / HTTP/1.1\r\n\r\n', 'NONSENSE\r\n\r\n', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`])(
    'outlives requests that are none: %.20j',
    async (text) => {
      const { port } = new URL(fixture.page.link);
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(text);
      let reply = '';
      for await (const chunk of socket) reply += String(chunk);
      expect(reply).toMatch(/^HTTP\/1\.1 4\d\d/);
      expect((await fixture.send('/')).status).toBe(200);
    },
  );
});
