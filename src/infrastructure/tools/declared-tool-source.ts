import { type ApprovalPolicy, ASK_ALWAYS } from '../../domain/approval.js';
import { InvalidToolError, ToolgateError } from '../../domain/errors.js';
import { canonicalJson, isJsonObject } from '../../domain/json.js';
import { NO_PERMISSIONS } from '../../domain/restrictions.js';
import { createTool, type Tool } from '../../domain/tool.js';
import type { BuiltinName, ToolDeclaration } from '../../domain/workflow.js';
import type { ToolEntry } from '../../ports/tool-executor.js';
import type { ToolHandler } from '../../ports/tool-handler.js';
import type { ToolSource, ToolSourceRequest } from '../../ports/tool-source.js';
import { customTool } from './custom-tool.js';
import { entryPermissions } from './entry-permissions.js';
import { readFileTool, writeFileTool } from './file-tool.js';
import { httpTool } from './http-tool.js';
import { resolveApproval } from './resolve-approval.js';
import { shellTool } from './shell-tool.js';
import { ToolProblems } from './tool-problems.js';

const BUILTINS: Readonly<Record<BuiltinName, (name: string) => ToolHandler>> = {
  shell: shellTool,
  read_file: readFileTool,
  write_file: writeFileTool,
  http_request: httpTool,
};

type FullRequest = Required<Omit<ToolSourceRequest, 'servers' | 'serverChanges'>>;

/** Tools that a workflow declares, and handlers that the host program bound; what is not declared is asked about. */
export class DeclaredToolSource implements ToolSource {
  readonly #handlers: readonly ToolHandler[];

  constructor({ handlers }: { readonly handlers: readonly ToolHandler[] }) {
    this.#handlers = handlers;
  }

  async open(given: ToolSourceRequest): Promise<readonly ToolEntry[]> {
    const request: FullRequest = {
      declarations: [],
      inputs: {},
      env: {},
      onUnavailable: 'deny',
      protect: [],
      hide: [],
      ...given,
    };
    const problems = new ToolProblems();
    const bound = this.#bound(problems);
    const declared = new Map<string, ToolEntry | undefined>();
    for (const declaration of request.declarations) {
      const { name } = declaration;
      if (declared.has(name)) problems.add(name, duplicate(name, 'is declared twice; a name has one tool'));
      else declared.set(name, declaredEntry(declaration, request, { bound, problems }));
    }
    const others = [...bound.values()].filter(({ tool }) => !declared.has(tool.name));
    problems.throwIfAny();
    return [
      ...[...declared.values()].filter((entry) => entry !== undefined),
      ...others.map((handler) => undeclaredEntry(handler, request)),
    ];
  }

  #bound(problems: ToolProblems): ReadonlyMap<string, ToolHandler> {
    const bound = new Map<string, ToolHandler>();
    for (const handler of this.#handlers) {
      const name = String(handler?.tool?.name ?? handler?.constructor?.name);
      const checked = problems.try(name, () => checkedHandler(handler, name));
      if (bound.has(name)) problems.add(name, duplicate(name, 'is bound twice; a name has one handler'));
      else if (checked) bound.set(name, checked);
    }
    return bound;
  }
}

/** Nothing if the tool cannot be built; what is wrong with it is in `problems` then. */
function declaredEntry(
  declaration: ToolDeclaration,
  request: FullRequest,
  { bound, problems }: { readonly bound: ReadonlyMap<string, ToolHandler>; readonly problems: ToolProblems },
): ToolEntry | undefined {
  const { name, timeoutMs } = declaration;
  const approval = resolveApproval(declaration.approval, request, (problem) => problems.add(name, problem));
  const handler = problems.try(name, () => handlerOf(declaration, bound, request));
  const permissions = entryPermissions(declaration, request, (problem) => problems.add(name, problem));
  if (!handler) return undefined;
  for (const problem of ruleProblems(handler.tool, approval))
    problems.add(name, new InvalidToolError(name, problem));
  return Object.freeze({
    handler,
    approval,
    permissions,
    workspace: request.workspace,
    onUnavailable: request.onUnavailable,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

/** A rule about an argument that the tool does not have would never speak: a typing error in a deny rule. */
function ruleProblems({ parameters }: Tool, { rules }: ApprovalPolicy): readonly string[] {
  const known = parameters.properties;
  if (parameters.additionalProperties !== false || !isJsonObject(known)) return [];
  return rules.flatMap(({ when }) => {
    const named = isJsonObject(when.arguments?.properties) ? Object.keys(when.arguments.properties) : [];
    return named
      .filter((name) => !Object.hasOwn(known, name))
      .map(
        (name) =>
          `has an approval rule about "${name}", which is not one of its arguments (${Object.keys(known).join(', ')})`,
      );
  });
}

function handlerOf(
  declaration: ToolDeclaration,
  bound: ReadonlyMap<string, ToolHandler>,
  { inputs, env }: FullRequest,
): ToolHandler {
  const { name, kind, parameters, allowDash } = declaration;
  const handler = bound.get(name);
  if (kind.type !== 'handler' && handler) {
    throw duplicate(name, `is declared as a ${kind.type} tool, but a handler of that name is bound as well`);
  }
  if (kind.type !== 'command' && parameters) {
    throw new InvalidToolError(name, 'has parameters of its own; only a command tool can be given some');
  }
  const changes = changesOf(declaration);
  if (kind.type === 'builtin') return withChanges(BUILTINS[kind.builtin](name), changes);
  if (kind.type === 'handler') return withChanges(handler ?? missing(name, bound), changes);
  const tool = { ...changes, name, ...(parameters ? { parameters } : {}) };
  return customTool({ tool, command: kind.command, inputs, env, allowDash });
}

function changesOf({ description, sideEffects, idempotent, exclusive }: ToolDeclaration): Partial<Tool> {
  return {
    ...(description === undefined ? {} : { description }),
    ...(sideEffects === undefined ? {} : { sideEffects }),
    ...(idempotent === undefined ? {} : { idempotent }),
    ...(exclusive === undefined ? {} : { exclusive }),
  };
}

/** The same handler under what its declaration says of it. */
function withChanges(handler: ToolHandler, changes: Partial<Tool>): ToolHandler {
  if (Object.keys(changes).length === 0) return handler;
  return rebound(handler, createTool({ ...handler.tool, ...changes }));
}

function rebound(handler: ToolHandler, tool: Tool): ToolHandler {
  const { plan } = handler;
  return {
    tool,
    ...(plan ? { plan: (args, context) => plan.call(handler, args, context) } : {}),
    run: (args, context) => handler.run(args, context),
  };
}

/** A handler of the host program may describe its tool with a plain object; then it is checked like any other. */
function checkedHandler(handler: ToolHandler, name: string): ToolHandler {
  if (typeof handler?.run !== 'function' || typeof handler.tool !== 'object') {
    throw new InvalidToolError(name, 'is bound to something that is no handler: it needs `tool` and `run`');
  }
  const tool = createTool(handler.tool);
  return canonicalJson({ ...tool }) === canonicalJson({ ...handler.tool }) ? handler : rebound(handler, tool);
}

function undeclaredEntry(handler: ToolHandler, { workspace, onUnavailable }: FullRequest): ToolEntry {
  const permissions = NO_PERMISSIONS;
  return Object.freeze({ handler, approval: ASK_ALWAYS, permissions, workspace, onUnavailable });
}

function missing(name: string, bound: ReadonlyMap<string, ToolHandler>): never {
  const names = [...bound.keys()].join(', ') || 'none';
  const remedy = Object.hasOwn(BUILTINS, name)
    ? 'write builtin: true'
    : 'add one of the two, or bind a handler';
  throw new InvalidToolError(
    name,
    `has neither "builtin" nor "command", and no handler of that name is bound (bound: ${names}); ${remedy}`,
  );
}

function duplicate(name: string, problem: string): ToolgateError {
  return new ToolgateError('WORKFLOW.VALIDATION.DUPLICATE', `Tool "${name}" ${problem}`);
}
