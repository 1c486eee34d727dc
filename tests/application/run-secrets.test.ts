import { describe, expect, it } from '@jest/globals';
import { secretsOf } from '../../src/application/run-secrets.js';
import type { Workflow } from '../../src/domain/workflow.js';

describe('secretsOf', () => {
  it('names secret inputs and the environment that tools are given, and nothing else', () => {
    const workflow = {
      inputs: [
        { name: 'token', secret: true },
        { name: 'path', secret: false },
      ],
      steps: [],
      tools: [{ restrictions: { env: ['API_KEY', 'LANG', 'LC_ALL', 'HOME'] } }, { restrictions: {} }],
    } as unknown as Workflow;
    const env = { API_KEY: 'k-123', LANG: 'C.UTF-8', LC_ALL: 'C', HOME: '/root', OTHER: 'x' };
    expect(secretsOf(workflow, { token: 'abc', path: '.' }, env)).toEqual([
      { name: 'inputs.token', value: 'abc' },
      { name: 'env.API_KEY', value: 'k-123' },
    ]);
  });

  it('names the keys of the providers, also where a step says that they are elsewhere', () => {
    const steps = [
      { options: { api_key_env: 'MY_MODEL' } },
      { options: { api_key_env: '{{inputs.team}}_KEY' } },
      { options: { api_key_env: '{{states.first.output}}' } },
      { options: { api_key_env: 7, headers: { 'x-team': 'Team {{env.TEAM}}' }, base_url: '{{env.URL}}' } },
      { options: { extra: { metadata: [{ id: '{{env.USER_ID}}' }] } } },
      { options: {} },
    ];
    const workflow = { inputs: [], tools: [], steps } as unknown as Workflow;
    const env = { ANTHROPIC_API_KEY: 'a-123', GEMINI_API_KEY: '', MY_MODEL: 'm-123\n', RED_KEY: 'r-123' };
    const sent = { TEAM: 't-123', USER_ID: 'u-123', URL: 'https://model.example' };
    expect(secretsOf(workflow, { team: 'RED' }, { ...env, ...sent })).toEqual([
      { name: 'env.TEAM', value: 't-123' },
      { name: 'env.USER_ID', value: 'u-123' },
      { name: 'env.ANTHROPIC_API_KEY', value: 'a-123' },
      { name: 'env.MY_MODEL', value: 'm-123' },
      { name: 'env.RED_KEY', value: 'r-123' },
    ]);
  });
});
