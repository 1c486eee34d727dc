import type { JsonObject } from '../../../src/domain/json.js';
import type { AgentProvider, AgentReply, AgentRequest } from '../../../src/ports/agent-provider.js';
import { type Answer, FakeModelServer, type SeenRequest } from './fake-model-server.js';

export interface AskedOnce {
  readonly value?: AgentReply;
  readonly error?: unknown;
  readonly request: SeenRequest | undefined;
  readonly body: JsonObject;
  /** The text that was seen as it came. */
  readonly shown: string;
}

/** Asks a provider one question on a real socket: what it sent, and what it made of the answer. */
export async function askOnce(
  answer: Answer,
  make: (url: string) => AgentProvider | Promise<AgentProvider>,
  request: AgentRequest,
): Promise<AskedOnce> {
  await using server = await FakeModelServer.start();
  server.will(answer);
  const agent = await make(server.url);
  const { signal } = new AbortController();
  let shown = '';
  const onText = (delta: string): void => {
    shown += delta;
  };
  const reply = await agent.complete(request, { signal, onText }).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  return { ...reply, request: server.seen[0], body: server.seen[0]?.body ?? {}, shown };
}
