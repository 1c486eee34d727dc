import { messageOf, ToolgateError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { toVisible } from '../../domain/visible-text.js';
import type { CliIo } from './cli-io.js';
import { exitCodeOfError } from './exit-code.js';
import { compactJson, prettyJson } from './output/json-text.js';

/** Says what went wrong, once, in the form that was asked for, and gives the exit code. */
export function reportError(error: unknown, argv: readonly string[], io: CliIo): number {
  const code = error instanceof ToolgateError ? error.code : 'SYSTEM.INTERNAL.BUG';
  const [first = '', ...rest] = toVisible(messageOf(error), { multiline: true }).split('\n');
  io.err(`${[`error: ${first} [${code}]`, ...rest].join('\n')}\n`);
  if (io.env.TOOLGATE_DEBUG === '1' && error instanceof Error) {
    io.err(`${toVisible(error.stack ?? '', { multiline: true })}\n`);
  }
  const details = error instanceof ToolgateError ? error.details : undefined;
  writeErrorData(
    { code, message: messageOf(error), ...(details === undefined ? {} : { details }) },
    argv,
    io,
  );
  return exitCodeOfError(error);
}

/** The words are on stderr already: commander wrote them. */
export function reportUsageError(message: string, argv: readonly string[], io: CliIo): void {
  writeErrorData({ code: 'USER.ARGUMENT.INVALID', message: message.replace(/^error: /, '') }, argv, io);
}

function writeErrorData(error: JsonObject, argv: readonly string[], io: CliIo): void {
  const format = formatOf(argv);
  if (format === 'json') io.out(prettyJson({ success: false, error }));
  if (format === 'stream-json') io.out(compactJson({ type: 'error', success: false, error }));
}

/** Read from the raw words: an error may come before any option could be parsed. */
function formatOf(argv: readonly string[]): string | undefined {
  const flag = '--output-format';
  const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  return argv[at] === flag ? argv[at + 1] : argv[at]?.slice(flag.length + 1);
}
