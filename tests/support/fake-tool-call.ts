import { type ApprovalPolicy, ASK_ALWAYS } from '../../src/domain/approval.js';
import type { JsonObject } from '../../src/domain/json.js';
import { NO_PERMISSIONS, type Permissions } from '../../src/domain/restrictions.js';
import type { ToolResult } from '../../src/domain/tool-result.js';
import { RoutingToolExecutor } from '../../src/infrastructure/tools/routing-executor.js';
import type { ExecutionContext, PlannedCall, ToolEntry } from '../../src/ports/tool-executor.js';
import type { ToolHandler } from '../../src/ports/tool-handler.js';
import { FakeToolFiles, FakeToolNetwork, FakeToolSandbox } from './fake-tool-ports.js';

export const WORKSPACE = '/project/space';

export interface CallOptions extends Partial<ExecutionContext> {
  readonly maxOutputBytes?: number;
  readonly permissions?: Partial<Permissions>;
  readonly approval?: ApprovalPolicy;
  readonly workspace?: string;
  /** Runs between plan and execution, as an approval does. */
  readonly beforeRun?: (planned: PlannedCall) => void;
}

/** An executor over fakes, and one call through the whole of it. */
export class FakeToolCalls {
  readonly sandbox = new FakeToolSandbox();
  readonly files = new FakeToolFiles();
  readonly network = new FakeToolNetwork();
  elapsedMs = 0;
  readonly executor = new RoutingToolExecutor({
    sandbox: this.sandbox,
    files: this.files,
    network: this.network,
    clock: { now: () => 0, elapsed: () => this.elapsedMs, newRunId: () => 'run' },
  });

  entry(handler: ToolHandler, options: CallOptions = {}): ToolEntry {
    const maxOutputBytes = options.maxOutputBytes ?? NO_PERMISSIONS.limits.maxOutputBytes;
    const limits = { ...NO_PERMISSIONS.limits, maxOutputBytes };
    return {
      handler,
      approval: options.approval ?? ASK_ALWAYS,
      permissions: { ...NO_PERMISSIONS, ...options.permissions, limits },
      workspace: options.workspace ?? WORKSPACE,
      onUnavailable: 'warn',
    };
  }

  context(options: CallOptions = {}): ExecutionContext {
    const { signal = new AbortController().signal, timeoutMs = 5000, outputFile } = options;
    return {
      callId: 'call_1',
      signal,
      timeoutMs,
      log: options.log ?? (() => undefined),
      onProcess: options.onProcess ?? (() => undefined),
      ...(outputFile === undefined ? {} : { outputFile }),
    };
  }

  async call(handler: ToolHandler, args: JsonObject, options: CallOptions = {}): Promise<ToolResult> {
    const entry = this.entry(handler, options);
    const context = this.context(options);
    const call = { id: 'call_1', tool: handler.tool.name, arguments: args };
    const planned = await this.executor.plan(entry, call, { signal: new AbortController().signal });
    options.beforeRun?.(planned);
    return this.executor.execute(entry, planned, context);
  }
}
