import { createRedactor, type KnownSecret } from '../../../domain/redaction.js';
import type { Environment } from './api-key.js';
import { gotTransport } from './got-transport.js';
import type { HttpSettings } from './http-settings.js';
import { type ClientSettings, ModelClient } from './model-client.js';
import type { ModelTransport } from './model-transport.js';

/** What HTTP providers take from the outside world; each part can be another one. */
export interface HttpSurroundings {
  readonly env: Environment;
  readonly transport?: ModelTransport;
  /** Waits between two tries. */
  readonly pause?: NonNullable<ClientSettings['pause']>;
  readonly maxReplyBytes?: number;
}

/** The client that a provider with these options asks with. */
export function createClient(
  provider: string,
  settings: HttpSettings,
  { transport = gotTransport(settings.proxy), pause, maxReplyBytes }: HttpSurroundings,
): ModelClient {
  const { timeoutMs, idleTimeoutMs, maxRetries, price } = settings;
  return new ModelClient({
    provider,
    transport,
    timeoutMs,
    idleTimeoutMs,
    maxRetries,
    price,
    redactor: createRedactor(secretsOf(settings)),
    ...(pause ? { pause } : {}),
    ...(maxReplyBytes === undefined ? {} : { maxReplyBytes }),
  });
}

function secretsOf({ apiKey, proxy }: HttpSettings): readonly KnownSecret[] {
  const password = proxy === undefined ? '' : decodeURIComponent(new URL(proxy).password);
  return [
    ...(apiKey === undefined ? [] : [{ name: 'api_key', value: apiKey }]),
    ...(password === '' ? [] : [{ name: 'proxy', value: password }]),
  ];
}
