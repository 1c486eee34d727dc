import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ReplyError } from '../../../../src/domain/reply-error.js';
import { JsonlAgentRecordings } from '../../../../src/infrastructure/providers/record/jsonl-agent-recordings.js';
import { agentOf, toolOf } from '../../../support/loop-fixture.js';
import { Fixture, step, workflow } from '../../../support/run-fixture.js';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgate-recorded-'));
  file = join(folder, 'run.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const flow = workflow([
  step('one', {
    tools: ['t'],
    onSuccess: { kind: 'step', name: 'two' },
    conversation: { mode: 'automatic', maxTurns: 2, nextPrompt: 'again' },
  }),
  step('two', { conversation: { mode: 'single', continueFrom: 'one' } }),
]);

function fixture(...more: ConstructorParameters<typeof Fixture>[2][]): Fixture {
  const tool = toolOf('t', undefined, { idempotent: true });
  const agents = { one: agentOf([['t', {}]], 'first', 'second'), two: agentOf('', '', '', 'third') };
  const made = new Fixture(agents, [tool], ...more);
  made.recordings = new JsonlAgentRecordings();
  return made;
}

/** A run whose providers nobody has: only a recording can answer. */
function player(records?: ConstructorParameters<typeof Fixture>[2]): Fixture {
  const made = new Fixture({}, [toolOf('t', undefined, { idempotent: true })], records);
  made.recordings = new JsonlAgentRecordings();
  return made;
}

function warningsOf({ events }: Fixture): string[] {
  return events.flatMap((event) => (event.type === 'run-warning' ? [event.message] : []));
}

describe('a recorded run', () => {
  it('is the same run when it is played', async () => {
    const recorded = await fixture().run(flow, { recording: { mode: 'record', file } });
    const played = await player().run(flow, { recording: { mode: 'replay', file } });
    expect(recorded.status).toBe('success');
    expect([...played.states]).toEqual([...recorded.states]);
  });

  it('can be resumed from every record, and its recording is whole', async () => {
    const first = fixture();
    const whole = await first.run(flow, { recording: { mode: 'record', file } });
    const lines = readFileSync(file, 'utf8').split('\n');
    const records = await first.journal.read('run-1');
    for (let length = 1; length < records.length; length += 1) {
      // The process died after these records: it had written a line for each turn that has an outcome.
      const left = records.slice(0, length);
      const turns = left.filter((record) => record.type === 'outcome' && record.kind === 'turn').length;
      writeFileSync(file, `${lines.slice(0, turns + 1).join('\n')}\n{"n":`);
      await fixture(left).resume();
      const played = await player().run(flow, { recording: { mode: 'replay', file } });
      expect([...played.states]).toEqual([...whole.states]);
    }
  });

  it('is played with its failures, and with what they cost', async () => {
    const usage = { inputTokens: 90, outputTokens: 10 };
    const refuse = () => Promise.reject(new ReplyError('EXECUTION.PROVIDER.REFUSED', 'I cannot.', usage));
    const refused = new Fixture({ one: { name: 'scripted', complete: refuse } }, []);
    refused.recordings = new JsonlAgentRecordings();
    const alone = workflow([step('one')]);
    const recorded = await refused.run(alone, { recording: { mode: 'record', file } });
    const played = await player().run(alone, { recording: { mode: 'replay', file } });
    expect(recorded.states.get('one')).toMatchObject({ error: { message: 'I cannot.' }, usage });
    expect([...played.states]).toEqual([...recorded.states]);
  });

  it('can be resumed while it is played', async () => {
    await fixture().run(flow, { recording: { mode: 'record', file } });
    const first = player();
    const whole = await first.run(flow, { recording: { mode: 'replay', file } });
    const records = await first.journal.read('run-1');
    for (let length = 1; length < records.length; length += 1) {
      const resumed = await player(records.slice(0, length)).resume();
      expect([...resumed.states].map(([, { output }]) => output)).toEqual(
        [...whole.states].map(([, { output }]) => output),
      );
    }
  });

  it('says which requests nobody asked any more, also where all went well, and not of a run that asked for all', async () => {
    await fixture().run(flow, { recording: { mode: 'record', file } });
    const whole = player();
    await whole.run(flow, { recording: { mode: 'replay', file } });
    expect(warningsOf(whole)).toEqual([]);
    const [one] = flow.steps;
    if (!one) throw new Error('a step');
    const shorter = player();
    const first = { ...one, onSuccess: { kind: 'end', status: 'success' } as const };
    const { status } = await shorter.run(workflow([first]), { recording: { mode: 'replay', file } });
    expect(status).toBe('success');
    expect(warningsOf(shorter)).toEqual([
      `Of the 4 requests in the recording ${file}, 1 was not asked; if that is meant, record again`,
    ]);
    const records = await whole.journal.read('run-1');
    for (let length = 1; length < records.length; length += 1) {
      const resumed = player(records.slice(0, length));
      await resumed.resume();
      expect(warningsOf(resumed)).toEqual([]);
    }
  });

  it('does not mind how a provider is reached, in the file or now', async () => {
    const at = (base_url: string, model = 'm') =>
      workflow([
        step('two', { options: { model, base_url, timeout: '1m', max_retries: 1, api_key_env: 'K' } }),
      ]);
    await fixture().run(at('http://127.0.0.1:1'), { recording: { mode: 'record', file } });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('127.0.0.1');
    const other = at('https://example.com');
    expect(await player().run(other, { recording: { mode: 'replay', file } })).toMatchObject({
      status: 'success',
    });
    // As older files have it.
    writeFileSync(file, text.replace('"model":"m"', '"model":"m","base_url":"http://10.0.0.1"'));
    expect(await player().run(other, { recording: { mode: 'replay', file } })).toMatchObject({
      status: 'success',
    });
    const changed = at('https://example.com', 'n');
    expect(await player().run(changed, { recording: { mode: 'replay', file } })).toMatchObject({
      status: 'failure',
    });
  });

  it('fails where the workflow has changed', async () => {
    await fixture().run(flow, { recording: { mode: 'record', file } });
    const [one, two] = flow.steps;
    if (!one || !two) throw new Error('two steps');
    const changed = workflow([one, { ...two, prompt: 'do something else' }]);
    const { states, status } = await player().run(changed, { recording: { mode: 'replay', file } });
    expect(status).toBe('failure');
    expect(states.get('two')?.error?.message).toContain(
      '-   "content": "do two"\n+   "content": "do something else"',
    );
  });
});
