import type { Json } from './json.js';

/** Every code toolgate uses, `CATEGORY.SUBJECT.PROBLEM`. The category decides the exit code. */
export type ErrorCode =
  | 'USER.INPUT.MISSING'
  | 'USER.INPUT.INVALID'
  | 'USER.INPUT.UNKNOWN'
  | 'USER.ARGUMENT.INVALID'
  | 'USER.FILE.NOT_FOUND'
  | 'USER.PROVIDER.NO_KEY'
  | 'USER.PROVIDER.NOT_INSTALLED'
  | 'USER.RECORDING.INVALID'
  | 'USER.RUN.NOT_FOUND'
  | 'USER.RUN.FINISHED'
  | 'USER.RUN.CHANGED'
  | 'USER.TOOL.UNKNOWN'
  | 'USER.APPROVAL.NOT_FOUND'
  | 'USER.APPROVAL.ANSWERED'
  | 'USER.APPROVAL.STALE'
  | 'WORKFLOW.PARSE.TOO_LARGE'
  | 'WORKFLOW.PARSE.ENCODING'
  | 'WORKFLOW.PARSE.YAML_SYNTAX'
  | 'WORKFLOW.PARSE.UNKNOWN_FIELD'
  | 'WORKFLOW.VALIDATION.SCHEMA'
  | 'WORKFLOW.VALIDATION.UNSUPPORTED'
  | 'WORKFLOW.VALIDATION.MISSING_STATE'
  | 'WORKFLOW.VALIDATION.MISSING_TOOL'
  | 'WORKFLOW.VALIDATION.DUPLICATE'
  | 'WORKFLOW.VALIDATION.CYCLE_DETECTED'
  | 'WORKFLOW.EXPRESSION.INVALID'
  | 'WORKFLOW.TEMPLATE.SYNTAX'
  | 'WORKFLOW.TEMPLATE.UNKNOWN_NAME'
  | 'WORKFLOW.TEMPLATE.MISSING_VALUE'
  | 'WORKFLOW.TOOL.INVALID'
  | 'WORKFLOW.TOOL.UNSAFE_TEMPLATE'
  | 'WORKFLOW.RESTRICTION.INVALID'
  | 'WORKFLOW.FORMAT.INVALID'
  | 'WORKFLOW.PROVIDER.UNKNOWN'
  | 'WORKFLOW.PROVIDER.NO_NATIVE_TOOLS'
  | 'WORKFLOW.PROVIDER.INVALID_OPTIONS'
  | 'WORKFLOW.SCRIPT.INVALID'
  | 'EXECUTION.CALL.UNKNOWN_TOOL'
  | 'EXECUTION.CALL.INVALID_ARGUMENTS'
  | 'EXECUTION.CALL.INCOMPLETE'
  | 'EXECUTION.CALL.MAX_CALLS'
  | 'EXECUTION.CALL.LIMIT_REACHED'
  | 'EXECUTION.CALL.DUPLICATE'
  | 'EXECUTION.CALL.IN_DOUBT'
  | 'EXECUTION.CALL.CANCELLED'
  | 'EXECUTION.APPROVAL.DENIED'
  | 'EXECUTION.APPROVAL.UNAVAILABLE'
  | 'EXECUTION.APPROVAL.STALE'
  | 'EXECUTION.APPROVAL.TIMED_OUT'
  | 'EXECUTION.SANDBOX.DENIED'
  | 'EXECUTION.SANDBOX.UNAVAILABLE'
  | 'EXECUTION.TOOL.FAILED'
  | 'EXECUTION.TOOL.NOT_FOUND'
  | 'EXECUTION.TOOL.TIMEOUT'
  | 'EXECUTION.TOOL.EXIT_CODE'
  | 'EXECUTION.PROVIDER.FAILED'
  | 'EXECUTION.PROVIDER.UNEXPECTED_TURN'
  | 'EXECUTION.PROVIDER.AUTH'
  | 'EXECUTION.PROVIDER.QUOTA'
  | 'EXECUTION.PROVIDER.RATE_LIMITED'
  | 'EXECUTION.PROVIDER.OVERLOADED'
  | 'EXECUTION.PROVIDER.TIMEOUT'
  | 'EXECUTION.PROVIDER.CONNECTION'
  | 'EXECUTION.PROVIDER.INVALID_REQUEST'
  | 'EXECUTION.PROVIDER.BAD_REPLY'
  | 'EXECUTION.PROVIDER.REFUSED'
  | 'EXECUTION.PROVIDER.CUT_OFF'
  | 'EXECUTION.PROVIDER.BYPASSED'
  | 'EXECUTION.PROVIDER.NO_TOOLS'
  | 'EXECUTION.PROVIDER.INTERRUPTED'
  | 'EXECUTION.STEP.FAILED'
  | 'SYSTEM.IO.READ_FAILED'
  | 'SYSTEM.IO.WRITE_FAILED'
  | 'SYSTEM.JOURNAL.BROKEN'
  | 'SYSTEM.JOURNAL.LEASED'
  | 'SYSTEM.JOURNAL.UNWRITABLE'
  | 'SYSTEM.AUDIT.UNWRITABLE'
  | 'SYSTEM.PROCESS.STILL_RUNNING'
  | 'SYSTEM.INTERNAL.BUG';

/** The first part of a code. */
export type ErrorCategory = 'USER' | 'WORKFLOW' | 'EXECUTION' | 'SYSTEM';

/** What a failed result carries: a code for programs, a message for the model and for people. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
}

export interface ToolgateErrorOptions {
  readonly cause?: unknown;
  readonly details?: Json;
}

/** The root of every error toolgate throws on purpose. Carries data, never live objects or secrets. */
export class ToolgateError extends Error {
  override readonly name: string = 'ToolgateError';
  readonly details: Json | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: ToolgateErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.details = options.details;
  }

  get category(): ErrorCategory {
    return categoryOf(this.code);
  }
}

/** A call that policy refuses. Thrown while planning or running; it becomes a failed result, never a crash. */
export class DeniedError extends ToolgateError {
  override readonly name = 'DeniedError';
  constructor(
    message: string,
    code: Extract<ErrorCode, `EXECUTION.${'SANDBOX' | 'APPROVAL'}.${string}`> = 'EXECUTION.SANDBOX.DENIED',
  ) {
    super(code, message);
  }
}

/** A tool or its declaration that cannot be right. */
export class InvalidToolError extends ToolgateError {
  override readonly name = 'InvalidToolError';
  constructor(
    readonly toolName: string,
    readonly problem: string,
  ) {
    super('WORKFLOW.TOOL.INVALID', `Tool "${toolName}" ${problem}`);
  }
}

function categoryOf(code: ErrorCode): ErrorCategory {
  return code.slice(0, code.indexOf('.')) as ErrorCategory;
}

/** What went wrong, as a failure a result can carry; the message of an unknown error is kept. */
export function toFailure(error: unknown, fallback: ErrorCode = 'EXECUTION.TOOL.FAILED'): Failure {
  if (error instanceof ToolgateError) return { code: error.code, message: error.message };
  return { code: fallback, message: messageOf(error) };
}

/** The message of whatever was thrown, also when it was not an Error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
