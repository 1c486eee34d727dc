import type { ErrorCode } from '../../../domain/errors.js';
import type { JsonSchema } from '../../../domain/json.js';
import { referencesOf } from '../../../domain/template.js';
import { compileCommandTemplate, UnsafeTemplateError } from './command-template.js';

export interface CommandMistake {
  readonly code: ErrorCode;
  readonly message: string;
  /** Where in the command; nowhere if it is about all of it. */
  readonly offset?: number;
}

/** What is unsafe about a command template whatever its inputs will be: said when its file is read, and where. */
export function commandMistake(
  command: string,
  {
    parameters = {},
    allowDash = [],
  }: { readonly parameters?: JsonSchema; readonly allowDash?: readonly string[] },
): CommandMistake | undefined {
  try {
    const inputs = standIns(command, 'inputs', '0');
    compileCommandTemplate(command, { parameters, allowDash, inputs, env: standIns(command, 'env', '.') });
    return undefined;
  } catch (error) {
    // Everything else is said elsewhere, or depends on values.
    if (!(error instanceof UnsafeTemplateError)) return undefined;
    const { code, reason: message, offset } = error;
    return { code, message, ...(offset === undefined ? {} : { offset }) };
  }
}

function standIns(command: string, root: string, value: string): Readonly<Record<string, string>> {
  const references = referencesOf(command).filter(({ path }) => path[0] === root);
  return Object.fromEntries(references.map(({ path }) => [path[1] ?? '', value]));
}
