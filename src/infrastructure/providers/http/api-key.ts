import { ToolgateError } from '../../../domain/errors.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A provider's key, from the first of these variables that has one. */
export class ApiKey {
  readonly value?: string;
  /** What is wrong with it; the value itself is never told. */
  readonly problem?: string;

  constructor(
    private readonly variables: readonly string[],
    env: Environment,
  ) {
    const found = variables.find((name) => Object.hasOwn(env, name) && (env[name]?.trim() ?? '') !== '');
    if (found === undefined) return;
    const value = env[found]?.trim() ?? '';
    if (/^[\x21-\x7e]+$/.test(value)) this.value = value;
    else this.problem = `names ${found}, whose value holds characters that no key has`;
  }

  missing(provider: string): ToolgateError {
    const names = this.variables.join(' or ');
    const message = `The provider "${provider}" needs a key: set ${names} in the environment, or name another variable with api_key_env`;
    return new ToolgateError('USER.PROVIDER.NO_KEY', message);
  }
}
