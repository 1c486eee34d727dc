import { messageOf } from '../../domain/errors.js';
import type { Tool } from '../../domain/tool.js';
import { toVisible } from '../../domain/visible-text.js';
import type { ServeContext, ServedRun, ServedTools } from '../../ports/tool-server.js';
import { brokenAnswer, toCallResult } from './answer-json.js';
import { callReports, type RequestExtra } from './call-reports.js';
import { type CalledTool, calledTool } from './called-tool.js';
import type { ClientApprovals } from './client-approvals.js';
import { type McpSdk, NO_SCHEMA_CHECKS } from './load-sdk.js';
import type { CallToolResult, McpTool, Server, Transport } from './sdk.js';
import { toMcpTool } from './tool-json.js';

const MAX_NAME_LENGTH = 64;
/** What tools say is information: a client that wants only worse gets none of it. */
const LEVELS_WITH_REPORTS: readonly string[] = ['debug', 'info'];

export interface SessionParts {
  readonly sdk: McpSdk;
  readonly served: ServedTools;
  readonly approvals: ClientApprovals;
  readonly log: ServeContext['log'];
}

/** One client: told of the tools, its calls answered as one run, which begins with the first of them. */
export class McpSession {
  readonly #parts: SessionParts;
  readonly #server: Server;
  #run: Promise<ServedRun> | undefined;
  readonly #closing: Promise<void>;
  #isOver = false;
  #tools: McpTool[];
  #unwatch: (() => void) | undefined;
  /** Nobody gets a log who did not ask for one. */
  #wantsLog = false;

  constructor(parts: SessionParts) {
    const { sdk, served, log } = parts;
    const { name, version, instructions } = served;
    this.#parts = parts;
    this.#server = new sdk.Server(
      { name, version },
      {
        capabilities: { tools: { listChanged: true }, logging: {} },
        jsonSchemaValidator: NO_SCHEMA_CHECKS,
        ...(instructions ? { instructions } : {}),
      },
    );
    this.#tools = served.tools.map(toMcpTool);
    this.#server.setRequestHandler(sdk.ListToolsRequestSchema, () => {
      served.listed?.();
      return { tools: this.#tools };
    });
    // Not by the SDK's schema: arguments that are no object are the model's mistake, for the gate to answer and record.
    this.#server.fallbackRequestHandler = (request, extra) => this.#call(calledTool(request), extra);
    this.#server.setRequestHandler(sdk.SetLevelRequestSchema, ({ params }) => {
      this.#wantsLog = LEVELS_WITH_REPORTS.includes(params.level);
      return {};
    });
    this.#server.onerror = (error) => log(`${this.#name}: ${error.message}`);
    this.#closing = new Promise((resolve) => {
      this.#server.onclose = () => resolve(this.#end());
    });
  }

  async connect(transport: Transport): Promise<void> {
    await this.#server.connect(transport);
    this.#unwatch = this.#parts.served.watch?.((tools) => this.#retell(tools));
  }

  /** Resolves when the client has gone and its run has ended. */
  get closed(): Promise<void> {
    return this.#closing;
  }

  /** Sends the client away. */
  async close(): Promise<void> {
    await this.#server.close();
    await this.#closing;
  }

  get #name(): string {
    return (this.#server.getClientVersion()?.name ?? 'client').slice(0, MAX_NAME_LENGTH);
  }

  get #client(): string {
    return toVisible(this.#name);
  }

  #retell(tools: readonly Tool[]): void {
    this.#tools = tools.map(toMcpTool);
    // A client that has not introduced itself yet, or has just gone, reads the list when it asks for one.
    this.#server.sendToolListChanged().catch(() => undefined);
  }

  /** Whatever goes wrong here, the model reads it: an error of the protocol would only reach the client's log. */
  async #call(call: CalledTool, extra: RequestExtra): Promise<CallToolResult> {
    try {
      const run = await this.#begun();
      const reports = callReports(extra, { tool: call.tool, wantsLog: this.#wantsLog });
      const client = { server: this.#server, name: this.#client, requestId: extra.requestId };
      const answering = this.#parts.approvals.during(client, () =>
        run.call(call, { signal: extra.signal, ...reports }),
      );
      return toCallResult(await answering);
    } catch (error) {
      this.#parts.log(`${call.tool}: ${messageOf(error)}`);
      return brokenAnswer(messageOf(error));
    }
  }

  #begun(): Promise<ServedRun> {
    if (this.#isOver) throw new Error('the session has ended');
    this.#run ??= this.#begin();
    return this.#run;
  }

  async #begin(): Promise<ServedRun> {
    try {
      return await this.#parts.served.begin(this.#client);
    } catch (error) {
      // What could not be begun now may be begun by the next call: a full disk is emptied.
      this.#run = undefined;
      throw error;
    }
  }

  async #end(): Promise<void> {
    this.#isOver = true;
    this.#unwatch?.();
    const run = await this.#run?.catch(() => undefined);
    await run?.close().catch((error: unknown) => this.#parts.log(messageOf(error)));
  }
}
