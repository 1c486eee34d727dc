import { ToolgateError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import { LONGEST_TIMER_MS } from '../../../domain/longest-timer.js';
import { durationMs } from '../http/option-values.js';
import { optionNameProblem } from '../option-names.js';
import { ScriptReader } from '../script-reader.js';
import type { CliDriver } from './cli-driver.js';

/** A step's options for a command line. */
export interface CliOptions {
  readonly model?: string;
  /** The program, where it is not the one on PATH. */
  readonly binary?: string;
  /** Whether a step fails whose agent used a tool of its own. */
  readonly strict: boolean;
  /** `api`: the API provider of the same models answers where the command line is not installed. */
  readonly fallback?: 'api';
  readonly timeoutMs: number;
}

const KNOWN = ['model', 'binary', 'strict', 'fallback', 'timeout'];
const DEFAULT_TIMEOUT_MS = 60 * 60_000;

/** Reads them; all that is wrong is told at once. What is not known is wrong: it might be meant to forbid something. */
export function cliOptions(driver: CliDriver, options: JsonObject): CliOptions {
  const reader = new ScriptReader();
  const fallback = reader.choice(['fallback'], options.fallback, ['api'] as const);
  // What the API takes more of is for the API.
  if (fallback === undefined) checkKeys(reader, options);
  if (fallback !== undefined && driver.apiProvider === undefined) {
    reader.problem(['fallback'], 'is not possible: there is no API provider for its models');
  }
  const model = modelOf(reader, options);
  const binary = reader.text(['binary'], options.binary);
  const strict = reader.flag(['strict'], flagOf(options.strict)) ?? false;
  const timeoutMs = timeoutOf(reader, options);
  throwProblems(driver.name, reader);
  return {
    strict,
    timeoutMs,
    ...(model === undefined ? {} : { model }),
    ...(binary === undefined ? {} : { binary }),
    ...(fallback === undefined ? {} : { fallback }),
  };
}

function checkKeys(reader: ScriptReader, options: JsonObject): void {
  for (const key of Object.keys(options)) {
    const problem = optionNameProblem(key, KNOWN);
    if (problem !== undefined) reader.problem([key], problem);
  }
}

/** Never with a dash in front: it would be an option of the command line. */
function modelOf(reader: ScriptReader, options: JsonObject): string | undefined {
  const model = reader.text(['model'], options.model);
  if (model !== undefined && !/^\w[\w.:@+/[\]-]*$/.test(model)) {
    reader.problem(['model'], 'is not the name of a model');
  }
  return model;
}

function timeoutOf(reader: ScriptReader, { timeout }: JsonObject): number {
  const ms = timeout === undefined ? DEFAULT_TIMEOUT_MS : durationMs(timeout);
  if (!(ms >= 1 && ms <= LONGEST_TIMER_MS)) {
    reader.problem(['timeout'], 'is not a number of seconds, nor a text such as 30s or 1m30s');
  }
  return ms;
}

/** The options for the API provider: all but those that only a command line has. */
export function apiOptions(options: JsonObject): JsonObject {
  const { binary: _binary, strict: _strict, fallback: _fallback, ...others } = options;
  return others;
}

/** Templates can only write it as text. */
function flagOf(value: JsonObject[string] | undefined): JsonObject[string] | undefined {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

function throwProblems(name: string, { problems }: ScriptReader): void {
  if (problems.length === 0) return;
  const list = problems.map(({ path, message }) => `options.${path.join('.')} ${message}`).join('\n  ');
  const message = `The options of the provider "${name}" are not right:\n  ${list}`;
  throw new ToolgateError('WORKFLOW.PROVIDER.INVALID_OPTIONS', message);
}
