import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NOTHING_ENFORCED } from '../../../src/domain/enforcement.js';
import { createTool } from '../../../src/domain/tool.js';
import { McpToolServer } from '../../../src/infrastructure/mcp/mcp-tool-server.js';
import type { ApprovalGate } from '../../../src/ports/approval-gate.js';
import type { HttpServing, ServedTools } from '../../../src/ports/tool-server.js';
import { contextWith, requestFor } from '../../support/fake-terminal.js';

const TOKEN = 'open-sesame-open-sesame';

let stopping: AbortController;
let serving: HttpServing;
let askedNext: number;

/** One tool, which says how the gate decided about it. */
function servedBy(gate: ApprovalGate): ServedTools {
  return {
    name: 'fake',
    version: '1',
    tools: [createTool({ name: 'write' })],
    begin: async () => ({
      runId: 'run',
      call: async ({ arguments: args }, { signal }) => {
        const request = requestFor({ tool: 'write', arguments: args as never });
        const { kind } = await gate.review(request, contextWith(signal));
        const shown = { durationMs: 1, approval: 'auto', enforcement: NOTHING_ENFORCED } as const;
        return { text: kind, result: { success: true, output: kind, ...shown } };
      },
      close: async () => undefined,
    }),
  };
}

beforeEach(async () => {
  stopping = new AbortController();
  askedNext = 0;
  const server = new McpToolServer();
  const gate = server.clientApprovals({
    review: async () => {
      askedNext += 1;
      return { kind: 'denied', reason: 'the next gate said no' };
    },
  });
  const context = { signal: stopping.signal, log: () => undefined };
  serving = await server.serveHttp(servedBy(gate), { port: 0, token: TOKEN }, context);
});

afterEach(async () => {
  stopping.abort();
  await serving.ended;
});

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly message?: string };
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client that posts, and listens to nothing but the answers to what it has posted. */
class PostingClient {
  #session = '';

  async introduce(capabilities: object): Promise<void> {
    const clientInfo = { name: 'poster', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities, clientInfo };
    const welcomed = await this.post({ id: 1, method: 'initialize', params });
    this.#session = welcomed.headers.get('mcp-session-id') ?? '';
    await welcomed.text();
    await this.post({ method: 'notifications/initialized' });
  }

  post(message: object): Promise<Response> {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(this.#session === '' ? {} : { 'mcp-session-id': this.#session }),
    };
    return fetch(serving.url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  }

  /** Calls the tool; a question on the call's own stream is answered with the decision. */
  async call(id: number, args: object, decision: string): Promise<{ asked: string[]; text: string }> {
    const answer = await this.post({ id, method: 'tools/call', params: { name: 'write', arguments: args } });
    const asked: string[] = [];
    let text = '';
    for await (const message of messagesOf(answer)) {
      if (message.method === 'elicitation/create') {
        asked.push(message.params?.message ?? '');
        await this.post({ id: message.id, result: { action: 'accept', content: { decision } } });
      } else if (message.id === id) text = message.result?.content?.[0]?.text ?? '';
    }
    return { asked, text };
  }
}

async function* messagesOf(response: Response): AsyncGenerator<Message> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data) yield JSON.parse(data) as Message;
    }
  }
}

describe('approvals by the client, over HTTP', () => {
  it('reach a client that listens to nothing but its own calls, each on its own stream', async () => {
    const client = new PostingClient();
    await client.introduce({ elicitation: {} });
    const [yes, no] = await Promise.all([
      client.call(11, { path: 'yes' }, 'allow once'),
      client.call(12, { path: 'no' }, 'deny'),
    ]);
    expect(yes).toEqual({ asked: [expect.stringContaining('"yes"')], text: 'approved' });
    expect(no).toEqual({ asked: [expect.stringContaining('"no"')], text: 'denied' });
    expect(askedNext).toBe(0);
  });

  it.each([
    ['cannot ask at all', {}],
    ['can only open addresses', { elicitation: { url: {} } }],
  ])('are left to the next gate where the client %s', async (_, capabilities) => {
    const client = new PostingClient();
    await client.introduce(capabilities);
    expect(await client.call(11, {}, 'allow once')).toEqual({ asked: [], text: 'denied' });
    expect(askedNext).toBe(1);
  });
});

describe('requests that are no calls', () => {
  it.each([
    [{ method: 'tools/call', params: { name: 7 } }, -32_602, 'needs the `name` of a tool'],
    [{ method: 'tools/call' }, -32_602, 'needs the `name` of a tool'],
    [{ method: `tools/${'x'.repeat(500)}` }, -32_601, 'Method not found: tools/xxx'],
  ])('are answered with an error of the protocol: %j', async (message, code, words) => {
    const client = new PostingClient();
    await client.introduce({});
    const { value: answer } = await messagesOf(await client.post({ id: 5, ...message })).next();
    expect(answer?.error).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(answer?.error?.message.length).toBeLessThan(200);
  });
});
