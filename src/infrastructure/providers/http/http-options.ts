import { ToolgateError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import { LONGEST_TIMER_MS } from '../../../domain/longest-timer.js';
import { isSecretKey } from '../../../domain/secret-shapes.js';
import { optionNameProblem } from '../option-names.js';
import { ScriptReader } from '../script-reader.js';
import { ApiKey, type Environment } from './api-key.js';
import { baseUrlProblem, isUnencrypted } from './base-url.js';
import type { HttpProviderSpec, HttpSettings } from './http-settings.js';
import { durationMs, numeric } from './option-values.js';
import { type Price, priceOf } from './prices.js';
import { proxyFromEnvironment, proxyProblem } from './proxy-choice.js';

const COMMON = [
  'model',
  'base_url',
  'insecure_http',
  'proxy',
  'api_key_env',
  'headers',
  'stream',
  'timeout',
  'idle_timeout',
  'max_retries',
  'max_tokens',
  'temperature',
  'extra',
  'prices',
];
/** Headers that say where a request goes and where it ends. */
const FRAMING = /^(?:host|connection|content-length|transfer-encoding|expect|upgrade)$/i;
const EXTRA_HINT = '; what only the API knows goes into extra';
const SECRET_HINT =
  'is not taken from a file: put the key into an environment variable, and name that in api_key_env';
const DEFAULTS = { timeoutMs: 10 * 60_000, idleTimeoutMs: 5 * 60_000, maxRetries: 3 };

/** Reads a step's options. All that is wrong is told at once, before anything runs. */
export class HttpOptions {
  readonly #reader = new ScriptReader();

  constructor(
    private readonly spec: HttpProviderSpec,
    private readonly options: JsonObject,
    private readonly env: Environment,
  ) {
    for (const key of Object.keys(options)) this.#checkKey(key);
  }

  flag(key: string): boolean | undefined {
    const value = this.options[key];
    return this.#reader.flag([key], value === 'true' ? true : value === 'false' ? false : value);
  }

  text(key: string): string | undefined {
    return this.#reader.text([key], this.options[key]);
  }

  object(key: string): JsonObject {
    return this.#reader.optionalObject([key], this.options[key]);
  }

  /** A number; templates can only write it as text. */
  amount(key: string): number | undefined {
    return this.#reader.amount([key], numeric(this.options[key]));
  }

  /** A whole number. */
  count(key: string, least: number): number | undefined {
    return this.#reader.count([key], numeric(this.options[key]), least);
  }

  choice<T extends string>(key: string, choices: readonly T[]): T | undefined {
    return this.#reader.choice([key], this.options[key], choices);
  }

  problem(key: string, message: string): void {
    this.#reader.problem([key], message);
  }

  /** The common options. Read a provider's own before: this throws if any of them is wrong. */
  settings(): HttpSettings {
    const model = this.#model();
    const baseUrl = this.#baseUrl();
    const key = this.#key();
    this.#checkTransfer(baseUrl, key.value);
    const settings: Optional<HttpSettings> = {
      model,
      baseUrl,
      apiKey: key.value,
      proxy: this.#proxy(baseUrl),
      headers: this.#headers(),
      stream: this.flag('stream') ?? true,
      timeoutMs: this.#duration('timeout') ?? DEFAULTS.timeoutMs,
      idleTimeoutMs: this.#duration('idle_timeout') ?? DEFAULTS.idleTimeoutMs,
      maxRetries: this.count('max_retries', 0) ?? DEFAULTS.maxRetries,
      maxTokens: this.count('max_tokens', 1),
      temperature: this.amount('temperature'),
      extra: this.#extra(),
      price: this.#price() ?? priceOf(model, this.spec.prices ?? {}),
    };
    this.#throwProblems();
    if (key.value === undefined && this.spec.isKeyRequired) throw key.missing(this.spec.name);
    return Object.fromEntries(
      Object.entries(settings).filter(([, value]) => value !== undefined),
    ) as unknown as HttpSettings;
  }

  #checkKey(key: string): void {
    const problem = optionNameProblem(key, [...COMMON, ...this.spec.ownOptions], EXTRA_HINT);
    if (problem === undefined) return;
    const isSecret = /key|secret|password|auth/i.test(key);
    this.problem(key, isSecret ? SECRET_HINT : problem);
  }

  #model(): string {
    const model = this.text('model') ?? '';
    if (!/^[\w.:@+/-]+$/.test(model) || model.includes('..')) {
      this.problem('model', model === '' ? "is missing: the model's name" : 'is not the name of a model');
    }
    return model;
  }

  #baseUrl(): string {
    const url = this.text('base_url') ?? this.spec.baseUrl;
    const problem = url === undefined ? 'is missing: the address of the API' : baseUrlProblem(url);
    if (problem !== undefined) this.problem('base_url', problem);
    return (url ?? '').replace(/\/+$/, '');
  }

  #checkTransfer(baseUrl: string, key: string | undefined): void {
    const isMeant = this.flag('insecure_http') === true;
    if (isMeant || key === undefined || !isUnencrypted(baseUrl)) return;
    this.problem('base_url', 'would send the key unencrypted; use https, or say insecure_http: true');
  }

  /** The option's, which is no place for a password, or the environment's; `false` is none. */
  #proxy(baseUrl: string): string | undefined {
    const { proxy: given } = this.options;
    if (given === false || given === 'false' || !URL.canParse(baseUrl)) return undefined;
    const proxy = this.text('proxy') ?? proxyFromEnvironment(baseUrl, this.env);
    const problem = proxy === undefined ? undefined : proxyProblem(proxy, given !== undefined);
    if (problem !== undefined) this.problem('proxy', problem);
    return proxy;
  }

  #key(): ApiKey {
    const named = this.text('api_key_env');
    const key = new ApiKey(named === undefined ? this.spec.keyVariables : [named], this.env);
    if (key.problem !== undefined) this.problem('api_key_env', key.problem);
    return key;
  }

  #headers(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(this.object('headers'))) {
      const isFit = /^[\w-]+$/.test(name) && typeof value === 'string' && /^[\t\x20-\x7e]*$/.test(value);
      if (FRAMING.test(name)) this.problem('headers', `${name} is written for you`);
      else if (!isFit) this.problem('headers', `${JSON.stringify(name)} is not a header with a text`);
      else if (isSecretKey(name))
        this.problem('headers', `${name} is a secret's place: name it in api_key_env`);
      else headers[name.toLowerCase()] = value;
    }
    return headers;
  }

  #extra(): JsonObject {
    const extra = this.object('extra');
    for (const key of Object.keys(extra)) {
      if (this.spec.bodyKeys.includes(key))
        this.problem('extra', `must not have ${key}, which is written for you`);
    }
    return extra;
  }

  #duration(key: string): number | undefined {
    const value = this.options[key];
    if (value === undefined) return undefined;
    const ms = durationMs(value);
    if (ms >= 1 && ms <= LONGEST_TIMER_MS) return ms;
    this.problem(key, 'must be a time: seconds as a number, or a text such as 500ms, 30s or 1m30s');
    return undefined;
  }

  #price(): Price | undefined {
    if (this.options.prices === undefined) return undefined;
    const keys = ['input', 'output', 'cache_read', 'cache_write'];
    const given = this.#reader.object(['prices'], this.options.prices, keys);
    const [input, output, cacheRead, cacheWrite] = keys.map((key) =>
      this.#reader.amount(['prices', key], numeric(given[key])),
    );
    if (given.input === undefined || given.output === undefined)
      this.problem('prices', 'needs input and output: US dollars for a million tokens');
    if (input === undefined || output === undefined) return undefined;
    return {
      isGiven: true,
      input,
      output,
      ...(cacheRead === undefined ? {} : { cacheRead }),
      ...(cacheWrite === undefined ? {} : { cacheWrite }),
    };
  }

  #throwProblems(): void {
    const { problems } = this.#reader;
    if (problems.length === 0) return;
    const list = problems.map(({ path, message }) => `options.${path.join('.')} ${message}`).join('\n  ');
    const message = `The options of the provider "${this.spec.name}" are not right:\n  ${list}`;
    throw new ToolgateError('WORKFLOW.PROVIDER.INVALID_OPTIONS', message);
  }
}

type Optional<T> = { readonly [K in keyof T]: T[K] | undefined };
