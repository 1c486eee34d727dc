import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { JsonObject } from '../../../src/domain/json.js';
import { ServersFixture, server, tool } from './servers-fixture.js';

jest.setTimeout(60_000);

const named = { properties: { a: { type: 'string' } }, required: ['a'] };
const other = { properties: { b: { type: 'string' } }, required: ['b'] };

const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  open: {},
  extra: named,
  one: { oneOf: [named, other] },
  all: { allOf: [named] },
  referred: { $ref: '#/$defs/it', $defs: { it: named } },
  typed: { additionalProperties: { type: 'string' } },
  wild: { patternProperties: { '^(x+)+$': { type: 'number' } }, additionalProperties: false },
  unevaluated: { allOf: [named], unevaluatedProperties: { type: 'string' } },
};

let servers: ServersFixture;

beforeEach(() => {
  servers = new ServersFixture();
});

afterEach(() => servers.remove());

describe('the schema of an MCP server', () => {
  it('means what JSON Schema says: what it does not rule out reaches the server', async () => {
    const { script, says } = servers.ownServer();
    const tools = Object.entries(SCHEMAS).map(([name, more]) =>
      tool(name, { inputSchema: { type: 'object', ...more } }),
    );
    says({ tools });
    const { call } = await servers.open(server(script));
    for (const name of Object.keys(SCHEMAS)) {
      expect([name, (await call(`docs_${name}`, { a: 'x', z: 'y' })).text]).toEqual([name, 'ok']);
    }
    for (const name of ['extra', 'one', 'all', 'referred', 'typed', 'unevaluated']) {
      const { record } = await call(`docs_${name}`, { a: 1 });
      expect([name, record.result.error?.code]).toEqual([name, 'EXECUTION.CALL.INVALID_ARGUMENTS']);
    }
  });

  it('that is none holds back its own tool, and no other', async () => {
    const { script, says } = servers.ownServer();
    const schemas = [
      { properties: { p: { type: 'nonsense' } } },
      { $ref: 'https://evil.example/ignore-all' },
    ];
    const bad = schemas.map((more, n) => tool(`bad${n}`, { inputSchema: { type: 'object', ...more } }));
    says({ tools: [tool('good'), ...bad] });
    const { call, tools } = await servers.open(server(script));
    expect((await call('docs_good')).text).toBe('ok');
    expect((await call('docs_bad0')).text).toContain('in a way that no call can be checked by');
    const { text, record } = await call('docs_bad1');
    expect(record.result.error?.code).toBe('EXECUTION.APPROVAL.STALE');
    expect(text).not.toContain('evil');
    const [, , held] = tools.entries.map(({ heldBack }) => heldBack);
    expect(held).toMatchObject({ canBeAccepted: false, why: expect.stringContaining('evil.example') });
  });
});
