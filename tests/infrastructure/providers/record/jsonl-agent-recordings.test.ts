import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { Message } from '../../../../src/domain/message.js';
import { createTool } from '../../../../src/domain/tool.js';
import { JsonlAgentRecordings } from '../../../../src/infrastructure/providers/record/jsonl-agent-recordings.js';
import type { AgentProvider, AgentRequest } from '../../../../src/ports/agent-provider.js';
import type { Recording } from '../../../../src/ports/agent-recordings.js';
import { ScriptedAgent, type ScriptedTurn } from '../../../../src/testing/scripted-agent.js';

const LIVE = { signal: new AbortController().signal };
const TOOL = createTool({
  name: 'look',
  description: 'Looks.',
  parameters: { type: 'object', properties: {} },
});
const RUN = {
  secrets: [{ name: 'inputs.token', value: 'hunter2-hunter2' }],
  workspace: '/srv/app',
  isResumed: false,
};
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgate-tape-'));
  file = join(folder, 'run.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function open(
  mode: Recording['mode'],
  turns: readonly ScriptedTurn[] = [],
  run = RUN,
): Promise<AgentProvider> {
  const tape = await new JsonlAgentRecordings().open({ mode, file }, run);
  const live = new ScriptedAgent(turns, { name: 'live' });
  return tape
    .wrap(mode === 'record' ? live : { create: () => Promise.reject(new Error('asked a provider')) })
    .create('claude', { step: 'one' });
}

/** Takes the agent through a conversation as the loop would: one list that grows. */
async function converse(
  agent: AgentProvider,
  prompts: readonly string[],
  options: JsonObject = { model: 'm' },
) {
  const messages: Message[] = [];
  const replies: string[] = [];
  for (const [asked, content] of prompts.entries()) {
    messages.push({ role: 'user', content });
    const { message } = await agent.complete({ messages, tools: [TOOL], options, asked }, LIVE);
    messages.push(message);
    if (message.calls.length > 0) {
      const results = message.calls.map(({ id }) => ({
        callId: id,
        tool: 'look',
        output: `at ${RUN.workspace}/x`,
        isError: false,
      }));
      messages.push({ role: 'tool', results });
    }
    replies.push(message.content);
  }
  return replies;
}

const TURNS: readonly ScriptedTurn[] = [
  {
    text: 'first',
    calls: [{ name: 'look', arguments: { path: '/srv/app/x' } }],
    usage: { inputTokens: 3, outputTokens: 2, costUsd: 0.1 },
  },
  { text: 'second in /srv/app' },
];

describe('a recording', () => {
  it('plays back what was said, and asks nobody', async () => {
    expect(await converse(await open('record', TURNS), ['a', 'b'])).toEqual(['first', 'second in /srv/app']);
    const agent = await open('replay');
    expect(agent).toMatchObject({ name: 'live', toolProtocol: 'native' });
    expect(await converse(agent, ['a', 'b'])).toEqual(['first', 'second in /srv/app']);
    const { usage, message } = await agent.complete(request(['a']), LIVE);
    expect(usage).toEqual({ inputTokens: 3, outputTokens: 2, costUsd: 0.1 });
    expect(message.calls).toEqual([{ id: 'call_001', name: 'look', arguments: { path: '/srv/app/x' } }]);
  });

  it('is one readable line a request, with what is new in it, for its owner only', async () => {
    await converse(await open('record', TURNS), ['a', 'b']);
    const lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toEqual({ type: 'toolgate-recording', version: 1 });
    expect(lines[1]).toMatchObject({
      n: 0,
      step: 'one',
      provider: 'claude',
      agent: 'live',
      request: { same_messages: 0 },
    });
    expect(lines[2].request).toEqual({
      same_messages: 1,
      messages: [
        {
          role: 'assistant',
          content: 'first',
          tool_calls: [{ id: 'call_001', name: 'look', arguments: { path: '{{workspace}}/x' } }],
        },
        {
          role: 'tool',
          results: [{ call_id: 'call_001', tool: 'look', output: 'at {{workspace}}/x', is_error: false }],
        },
        { role: 'user', content: 'b' },
      ],
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is the same in another workspace', async () => {
    await converse(await open('record', TURNS), ['look into /srv/app', 'b']);
    const moved = await open('replay', [], { ...RUN, workspace: '/home/ci/app' });
    const { message } = await moved.complete(request(['look into /home/ci/app']), LIVE);
    expect(message.calls[0]?.arguments).toEqual({ path: '/home/ci/app/x' });
  });

  it('holds no secret, and plays to a run with another one', async () => {
    const secret = RUN.secrets[0]?.value ?? '';
    const said = [
      { text: `use ${secret} and sk-0123456789abcdefghij` },
      { error: new Error(`bad key ${secret}`) },
    ];
    const agent = await open('record', said);
    await agent.complete({ ...request([`it is ${secret}`]), options: { api_key: secret } }, LIVE);
    await expect(agent.complete({ ...request(['x']), asked: 1 }, LIVE)).rejects.toThrow(secret);
    expect(readFileSync(file, 'utf8')).not.toMatch(/hunter2|sk-0123/);
    const other = { ...RUN, secrets: [{ name: 'inputs.token', value: 'another-one' }] };
    const replayed = await open('replay', [], other);
    const asked = { ...request(['it is another-one']), options: { api_key: 'another-one' } };
    expect((await replayed.complete(asked, LIVE)).message.content).toBe('use [redacted] and [redacted]');
    await expect(replayed.complete({ ...request(['x']), asked: 1 }, LIVE)).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.FAILED',
      message: 'bad key [redacted]',
    });
  });

  it('fails on another request and shows how it differs', async () => {
    await converse(await open('record', TURNS), ['a', 'b']);
    const agent = await open('replay');
    const other = agent.complete({ ...request(['do\nsomething else']), options: { model: 'n' } }, LIVE);
    await expect(other).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.UNEXPECTED_TURN',
      message: `The recording ${file} has another request 1. Lines with - are recorded, lines with + were asked now:
message 1:
    "role": "user",
-   "content": "a"
+   "content": "do
+     something else"
  }
options:
  {
-   "model": "m"
+   "model": "n"
  }`,
    });
    await expect(agent.complete({ ...request(['a']), asked: 7 }, LIVE)).rejects.toThrow(
      'has no request 8 (it has 2)',
    );
  });

  it('keeps the difference short, however long the request', async () => {
    await converse(await open('record', TURNS), ['a']);
    const agent = await open('replay');
    const words = Array.from({ length: 5_000 }, (_, n) => `line ${n} ${'x'.repeat(1_000)}`).join('\n');
    const error = await agent.complete(request([words]), LIVE).catch((thrown: Error) => thrown);
    expect((error as Error).message.length).toBeLessThan(15_000);
    expect((error as Error).message).toContain('more lines');
  });

  it('goes on after a crash: half a line is dropped, and what is asked again counts last', async () => {
    await converse(await open('record', TURNS), ['a']);
    appendFileSync(file, '{"n":1,"step":"one","pro');
    expect(await converse(await open('replay'), ['a'])).toEqual(['first']);
    const again = await open('record', [{ text: 'anew' }, { text: 'on' }], { ...RUN, isResumed: true });
    expect(await converse(again, ['a', 'b'])).toEqual(['anew', 'on']);
    expect(await converse(await open('replay'), ['a', 'b'])).toEqual(['anew', 'on']);
  });

  it('begins anew over an old recording, and never over anything else', async () => {
    await converse(await open('record', TURNS), ['a', 'b']);
    chmodSync(file, 0o644);
    await converse(await open('record', [{ text: 'new' }]), ['a']);
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(2);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, 'my thesis');
    await expect(open('record')).rejects.toMatchObject({ code: 'USER.RECORDING.INVALID' });
    expect(readFileSync(file, 'utf8')).toBe('my thesis');
  });

  it.each([
    ['nothing', '', 'is not a recording'],
    ['another file', 'name: x\n', 'is not a recording'],
    ['another version', '{"type":"toolgate-recording","version":2}\n', 'of version 2'],
    [
      'a broken line',
      '{"type":"toolgate-recording","version":1}\n{"n":0}\n',
      ':2: this line is not a recorded request',
    ],
    [
      'a line whose beginning is gone',
      '{"type":"toolgate-recording","version":1}\n{"n":0,"request":{"same_messages":4,"messages":[]},"reply":{"text":"","tool_calls":[]}}\n',
      ':2: the 4 messages of the line before are not there',
    ],
  ])('is refused when it is %s', async (_, text, problem) => {
    writeFileSync(file, text);
    await expect(open('replay')).rejects.toMatchObject({
      code: 'USER.RECORDING.INVALID',
      message: expect.stringContaining(problem),
    });
  });

  it('says when the file is not there, or its folder', async () => {
    await expect(open('replay')).rejects.toMatchObject({ code: 'USER.FILE.NOT_FOUND' });
    file = join(folder, 'missing', 'run.jsonl');
    await expect(open('record')).rejects.toMatchObject({ code: 'SYSTEM.IO.WRITE_FAILED' });
    expect(existsSync(file)).toBe(false);
  });

  it('touches nothing that is not a file', async () => {
    const mode = statSync('/dev/null').mode;
    for (const place of ['/dev/null', folder]) {
      file = place;
      await expect(open('record')).rejects.toMatchObject({ code: 'USER.RECORDING.INVALID' });
      await expect(open('replay')).rejects.toMatchObject({ code: 'USER.RECORDING.INVALID' });
    }
    expect(statSync('/dev/null').mode).toBe(mode);
  });

  it('leaves out a request that was broken off', async () => {
    const controller = new AbortController();
    const tape = await new JsonlAgentRecordings().open({ mode: 'record', file }, RUN);
    const hung = {
      name: 'hung',
      complete: async () => {
        controller.abort();
        throw new Error('aborted');
      },
    };
    const agent = await tape.wrap({ create: async () => hung }).create('x', {});
    await expect(agent.complete(request(['a']), { signal: controller.signal })).rejects.toThrow('aborted');
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(1);
  });
});

function request(prompts: readonly string[]): AgentRequest {
  const messages = prompts.map((content): Message => ({ role: 'user', content }));
  return { messages, tools: [TOOL], options: { model: 'm' }, asked: 0 };
}
