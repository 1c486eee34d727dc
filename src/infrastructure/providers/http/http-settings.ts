import type { JsonObject } from '../../../domain/json.js';
import type { Price, PriceTable } from './prices.js';

/** What differs between the providers as far as options are concerned. */
export interface HttpProviderSpec {
  readonly name: string;
  /** Absent where `base_url` must be given. */
  readonly baseUrl?: string;
  /** Where the key is looked for, in this order, unless `api_key_env` names another place. */
  readonly keyVariables: readonly string[];
  readonly isKeyRequired: boolean;
  /** Options of this provider alone; it reads them itself. */
  readonly ownOptions: readonly string[];
  /** Members of the body that the provider writes itself: `extra` must not have them. */
  readonly bodyKeys: readonly string[];
  /** What its models cost, unless `prices` says otherwise. */
  readonly prices?: PriceTable;
}

/** The options that every HTTP provider has. */
export interface HttpSettings {
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** The proxy that requests go through; it may hold a password. */
  readonly proxy?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: boolean;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxRetries: number;
  readonly maxTokens?: number;
  readonly temperature?: number;
  /** Members of the request's body, in the API's own spelling. */
  readonly extra: JsonObject;
  readonly price?: Price;
}
