import { describe, expect, it } from '@jest/globals';
import type { Workflow } from '../../../src/domain/workflow.js';
import { redactorsOf } from '../../../src/interfaces/cli/redactors.js';

const workflow = {
  inputs: [{ name: 'pin', type: 'integer', required: true, secret: true }],
  steps: [],
  tools: [{ restrictions: { env: ['HOME', 'LC_ALL', 'SERVICE'] } }],
} as unknown as Workflow;
const env = { HOME: '/root', LC_ALL: 'C.UTF-8', SERVICE: 'swordfish-42', OTHER: 'not-given' };
const { data, people } = redactorsOf(workflow, { pin: 12345 }, { env });

describe('redactorsOf', () => {
  it('hides secret inputs and what tools get from the environment, in every form', () => {
    const base64 = Buffer.from('swordfish-42').toString('base64');
    for (const redactor of [data, people]) {
      expect(redactor.text(`a swordfish-42 b ${base64} c 12345 d`)).not.toMatch(/swordfish|12345|c3dvcmRma/);
    }
  });

  it('leaves alone what hides nothing', () => {
    expect(data.text('/root/project in C.UTF-8 not-given')).toBe('/root/project in C.UTF-8 not-given');
  });

  it('keeps data exact where it only looks like a secret, and hides that from people', () => {
    const source = 'password: string, token = "abc"';
    expect(data.json({ token: source })).toEqual({ token: source });
    expect(people.json({ token: source, note: source })).toEqual({
      token: '[redacted]',
      note: 'password: [redacted], token = "[redacted]"',
    });
  });

  it('hides a number that is the secret, and none that contains it', () => {
    expect(data.json({ pin: 12345, duration_ms: 912345, nested: [{ k12345: 'x' }] })).toEqual({
      pin: '[redacted]',
      duration_ms: 912345,
      nested: [{ 'k[redacted]': 'x' }],
    });
  });
});
