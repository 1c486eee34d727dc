import { DeniedError } from '../domain/errors.js';
import { canonicalJson, deepFreeze, type Json, type JsonObject } from '../domain/json.js';
import type { PlannedAction } from '../domain/plan.js';
import { NO_PERMISSIONS } from '../domain/restrictions.js';
import { createTool } from '../domain/tool.js';
import type { ToolHandler, ToolOutput } from '../ports/tool-handler.js';
import type { ToolSandbox } from '../ports/tool-sandbox.js';

/** A handler with a call that it should be able to answer. */
export interface ToolHandlerSubject {
  readonly handler: ToolHandler;
  /** Arguments that fit its schema. */
  readonly arguments: JsonObject;
  /** What it may do; if absent, every door of its sandbox is closed. */
  readonly sandbox?: ToolSandbox;
}

export type MakeToolHandler = () => ToolHandlerSubject | Promise<ToolHandlerSubject>;

// Whatever runner the user has: all of them offer these two as globals.
interface TestRunner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void>): void;
}

const SOON_MS = 2000;

/** Describes what every ToolHandler promises, as tests of a handler of yours; works with Jest, Vitest and their kin. */
export function describeToolHandlerContract(name: string, makeHandler: MakeToolHandler): void {
  const { describe, it } = globalThis as unknown as TestRunner;
  if (typeof describe !== 'function' || typeof it !== 'function') {
    throw new Error('describeToolHandlerContract needs the globals `describe` and `it` of a test runner');
  }
  describe(`${name} keeps the ToolHandler contract`, () => {
    for (const [promise, check] of Object.entries(PROMISES)) {
      it(promise, async () => check(await makeHandler()));
    }
  });
}

const PROMISES: Readonly<Record<string, (subject: ToolHandlerSubject) => Promise<void>>> = {
  'describes a valid tool that takes no undeclared arguments': async ({ handler }) => {
    const tool = createTool(handler.tool);
    must(tool.description !== '', 'needs a description: it is all that a model knows of it');
    const { additionalProperties, unevaluatedProperties } = tool.parameters;
    const isSaid = additionalProperties !== undefined || unevaluatedProperties !== undefined;
    must(isSaid, 'needs a schema that says what it does not take');
  },

  'plans the same for the same arguments, as plain data': async (subject) => {
    const first = await planOf(subject);
    const second = await planOf(subject);
    must(isSame(first, second), 'planned the same call in two ways');
    must(isSame(JSON.parse(JSON.stringify(first)), first), 'planned something that is no plain data');
  },

  'answers a call with text or text and more, and leaves the arguments alone': async (subject) => {
    const args = deepFreeze(structuredClone(subject.arguments));
    const action = await planOf(subject);
    const output = await run(subject, { args, action, signal: new AbortController().signal });
    must(isOutput(output), `returned ${typeof output}, which is neither text nor { text }`);
  },

  'ends soon when it is told to stop': async (subject) => {
    const action = await planOf(subject);
    const controller = new AbortController();
    const running = run(subject, { args: subject.arguments, action, signal: controller.signal });
    controller.abort();
    must(await endsWithin(running, SOON_MS), `was still running ${SOON_MS} ms after it was told to stop`);
  },
};

interface Run {
  readonly args: JsonObject;
  readonly action: PlannedAction;
  readonly signal: AbortSignal;
}

async function planOf({
  handler,
  arguments: args,
  sandbox = CLOSED,
}: ToolHandlerSubject): Promise<PlannedAction> {
  const { signal } = new AbortController();
  return (await handler.plan?.(args, { sandbox, signal })) ?? { kind: 'handler' };
}

async function run(
  { handler, sandbox = CLOSED }: ToolHandlerSubject,
  { args, action, signal }: Run,
): Promise<ToolOutput> {
  return handler.run(args, { callId: 'contract', action, signal, sandbox, log: () => undefined });
}

async function endsWithin(running: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  const ended = running.then(
    () => true,
    () => true,
  );
  const isSoon = await Promise.race([ended, late]);
  clearTimeout(timer);
  return isSoon;
}

function isOutput(output: unknown): boolean {
  if (typeof output === 'string') return true;
  return typeof output === 'object' && output !== null && 'text' in output && typeof output.text === 'string';
}

function isSame(left: unknown, right: unknown): boolean {
  return canonicalJson(left as Json) === canonicalJson(right as Json);
}

function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(`The handler ${otherwise}`);
}

const closed = async (): Promise<never> => {
  throw new DeniedError('this sandbox is closed; give the contract one that lets the call through');
};

const CLOSED: ToolSandbox = {
  workspace: '/',
  permissions: NO_PERMISSIONS,
  planProcess: closed,
  runProcess: closed,
  resolvePath: closed,
  readFile: closed,
  writeFile: closed,
  allowUrl: closed,
};
