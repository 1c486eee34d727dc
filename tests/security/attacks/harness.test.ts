import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../src/domain/json.js';
import { AREAS, type AttackCase, type Collection, loadCases, readCase } from './harness/attack-case.js';
import { withoutGate } from './harness/no-gate.js';
import { problemsOf } from './harness/problems-of.js';
import { NOT_YET, ONLY_KERNEL } from './harness/tables.js';

const all = (collection: Collection) => AREAS.flatMap((area) => loadCases(collection, area));

describe('the catalogue of attacks', () => {
  it('is whole, and every attack has a name of its own', () => {
    const ids = [...all('cases'), ...all('variants')].map(({ id }) => id);
    expect(all('cases')).toHaveLength(338);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has every attack that a table names', () => {
    const ids = [...all('cases'), ...all('variants')].map(({ id }) => id);
    const named = [...Object.keys(NOT_YET), ...Object.keys(ONLY_KERNEL)];
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  });
});

const CASE: JsonObject = {
  ...{ id: 'X-1', area: 'command', setup: [], policy: { tool: 'shell' }, input: { command: 'true' } },
  ...{ must: 'deny', assert: { file_absent: '{OUT}/x' }, why: 'an example' },
};

describe('a case that the harness does not understand', () => {
  it.each([
    ['a key', { colour: 'red' }],
    ['a must', { must: 'maybe' }],
    ['an area', { area: 'moon' }],
    ['a layer', { layer: 'onion' }],
    ['a kind of setup', { setup: [{ conjure: 'x' }] }],
    ['a note', { setup: [{ note: 'the moon is full' }] }],
    ['a race', { setup: [{ race: { path: '{ROOT}/x', between: ['dir', 'dir'] } }] }],
    ['an answer of a server', { setup: [{ http: { 'a/': { mood: 'bad' } } }] }],
    ['a key of the policy', { policy: { tool: 'shell', mercy: true } }],
    ['a tool', { policy: { tool: 'hammer' } }],
    ['a limit', { policy: { tool: 'shell', limits: { patience: 1 } } }],
    ['a protection', { policy: { tool: 'shell', protect: 'some' } }],
    ['an environment', { policy: { tool: 'shell', env: 'all' } }],
    ['a sandbox', { policy: { tool: 'shell', sandbox: 'beach' } }],
    ['a load', { policy: { load: 'truck' }, input: { yaml: 'tools: []' } }],
    ['an answer', { area: 'approval', policy: { tool: 'shell', answer: { shrug: 1 } } }],
    ['an assertion', { assert: { is_pretty: true } }],
    ['a decision', { assert: { decision: 'perhaps' } }],
    ['a text to make', { input: { command: { $gen: { repeat: ['a', 2], reverse: true } } } }],
    ['a secret', { area: 'log', why: 'must be redacted', must: 'sanitize', assert: {} }],
  ])('is an error: %s', async (_, more) => {
    const judged = async () => problemsOf(readCase({ ...CASE, ...more } as JsonObject), 'process');
    await expect(judged()).rejects.toThrow(/unknown|nobody knows|which secret/);
  });
});

describe('an attack that has its way is seen', () => {
  const isVerified = ({ naive_verified }: AttackCase & { readonly naive_verified?: boolean }) =>
    naive_verified;
  const isPlain = ({ must, platform, policy, assert }: AttackCase) =>
    must === 'deny' && !platform && !policy.inputs && !assert.repeat;
  const cases = [
    ...loadCases('cases', 'command').filter(isVerified),
    ...loadCases('cases', 'path').filter(isPlain),
    ...loadCases('cases', 'network').filter(({ policy }) => policy.private === 'deny'),
    // One in three: each takes as long as an attack that fails.
  ].filter((_, index) => index % 3 === 0);
  it.each(cases.map((kase) => [kase.id, kase.why, kase] as const))(
    '%s without a gate: %s',
    async (_, __, kase) => {
      expect(await problemsOf(kase, 'process', withoutGate)).not.toEqual([]);
    },
  );

  it('also when it is a command that must be allowed and is not', async () => {
    const refused = { ...CASE, must: 'allow', policy: { tool: 'shell', commands: ['ls'] }, assert: {} };
    expect(await problemsOf(readCase(refused), 'process')).not.toEqual([]);
  });

  it('also when it only leaves something running', async () => {
    const command = 'setsid sleep 3 > /dev/null 2>&1 &';
    const kase = { ...CASE, must: 'contain', input: { command }, assert: { no_survivors: true } };
    expect(await problemsOf(readCase(kase), 'process', withoutGate)).toEqual(['no_survivors: true']);
  });
});
