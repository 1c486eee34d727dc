import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ANTHROPIC_WIRE } from '../support/fake-model/anthropic-wire.js';
import { FakeModelServer } from '../support/fake-model/fake-model-server.js';
import { GOOGLE_WIRE } from '../support/fake-model/google-wire.js';
import { ExampleFolder } from './example-folder.js';
import { blocksOf } from './page.js';

const PAGE = 'docs/providers.md';
const EXAMPLE = 'examples/providers/workflow.yaml';
const READ = { calls: [{ id: 'toolu_1', name: 'read_file', arguments: { path: 'NOTES.md' } }] };

async function run(...args: readonly string[]) {
  const folder = new ExampleFolder({ 'NOTES.md': 'The gate is shut.' });
  const child = folder.start('run', EXAMPLE, '--workspace', folder.workspace, ...args);
  if (!child.stdout) throw new Error('no stdout');
  const [out, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return {
    status,
    out,
    events: out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  };
}

describe(PAGE, () => {
  const keys = { ...ANTHROPIC_WIRE.env, ...GOOGLE_WIRE.env };
  beforeEach(() => void Object.assign(process.env, keys));
  afterEach(() => {
    for (const name of Object.keys(keys)) delete process.env[name];
  });

  it('shows a step of the example as it is', () => {
    const [block = ''] = blocksOf(PAGE, 'yaml');
    expect(readFileSync(EXAMPLE, 'utf8')).toContain(block.trimEnd());
  });

  it('has an example that runs, here against servers on this machine', async () => {
    await using claude = await FakeModelServer.start();
    await using gemini = await FakeModelServer.start();
    claude.will(ANTHROPIC_WIRE.answer(READ, true), ANTHROPIC_WIRE.answer({ text: 'It is shut.' }, true));
    gemini.will(GOOGLE_WIRE.answer(READ, true), GOOGLE_WIRE.answer({ text: 'Yes.' }, true));
    const { status, out, events } = await run(
      '-i',
      `anthropic_url=${claude.url}`,
      '-i',
      `google_url=${gemini.url}`,
    );
    expect(status).toBe(0);
    expect(events.filter(({ type }) => type === 'step-end').map(({ state }) => state)).toMatchObject([
      {
        output: 'It is shut.',
        stopped_by: 'completed',
        usage: { input_tokens: 200, cost_usd: expect.any(Number) },
      },
      { output: 'Yes.', stopped_by: 'completed' },
    ]);
    expect(ANTHROPIC_WIRE.results(claude.seen[1]?.body ?? {})[0]?.output).toContain('The gate is shut.');
    for (const key of Object.values(keys)) expect(out).not.toContain(key);
  });

  it('says which key is missing before anything runs', async () => {
    delete process.env.GEMINI_API_KEY;
    const { status, out } = await run();
    expect({ status, out }).toEqual({ status: 1, out: expect.stringContaining('USER.PROVIDER.NO_KEY') });
    expect(out).toContain('GEMINI_API_KEY or GOOGLE_API_KEY');
  });
});
