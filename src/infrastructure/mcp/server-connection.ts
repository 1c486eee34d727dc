import type { Enforcement } from '../../domain/enforcement.js';
import { ToolgateError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { LONGEST_TIMER_MS } from '../../domain/longest-timer.js';
import { reasonOf } from './connection-problem.js';
import { ListedTools } from './listed-tools.js';
import { type McpSdk, NO_SCHEMA_CHECKS } from './load-sdk.js';
import { withOwnSignal } from './own-signal.js';
import type { CallToolResult, Client, McpTool, Transport } from './sdk.js';
import { ServerSaid } from './server-said.js';

/** A way to a server, and what ends it. */
export interface ServerWay {
  readonly transport: Transport;
  /** What holds the server, where it is a process of ours. */
  readonly enforcement?: Enforcement;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly sdk: McpSdk;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly startTimeoutMs: number;
  readonly open: (said: ServerSaid) => Promise<ServerWay>;
  /** What to look at when it does not answer. */
  readonly hint?: string;
}

export interface RemoteCall {
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
}

const MAX_PAGES = 100;
const MAX_LOG_LINES = 200;
const MAX_LOG_LENGTH = 1_000;

/** One connection to a server: it offers the server nothing, neither a model nor a person nor files. */
export class ServerConnection {
  readonly #client: Client;
  /** Told when the server says that its tools are others now. */
  onListChanged: () => void = () => undefined;
  #isOver = false;
  #changes = 0;
  #changesListed = 0;

  private constructor(
    private readonly options: ConnectOptions,
    private readonly way: ServerWay,
    private readonly said: ServerSaid,
  ) {
    const { sdk } = options;
    const checks = { capabilities: {}, jsonSchemaValidator: NO_SCHEMA_CHECKS };
    this.#client = new sdk.Client({ name: 'toolgate', version: '1' }, checks);
    this.#client.onclose = () => {
      this.#isOver = true;
    };
    this.#client.setNotificationHandler(sdk.ToolListChangedNotificationSchema, () => {
      this.#changes += 1;
      this.onListChanged();
    });
  }

  static async open(options: ConnectOptions): Promise<ServerConnection> {
    const said = new ServerSaid();
    const way = await options.open(said);
    const connection = new ServerConnection(options, way, said);
    try {
      const { startTimeoutMs: timeout } = options;
      await withOwnSignal(options.signal, (signal) =>
        connection.#client.connect(way.transport, { signal, timeout }),
      );
      return connection;
    } catch (error) {
      await way.close();
      throw new ToolgateError(
        'EXECUTION.TOOL.FAILED',
        `The MCP server "${options.name}" could not be reached: ${reasonOf(error)}${said.lastWords}${hintOf(options)}`,
        { cause: error },
      );
    }
  }

  /** For one that is known to be of no use any more, although nothing has closed it. */
  giveUp(): void {
    this.#isOver = true;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get enforcement(): Enforcement | undefined {
    return this.way.enforcement;
  }

  /** Whether the server has said since the last listing that its tools are others now; a listing that failed is none. */
  get hasChanged(): boolean {
    return this.#changes !== this.#changesListed;
  }

  get lastWords(): string {
    return this.said.lastWords;
  }

  /** All its tools, page by page; a list without end is an error, and so is one that takes its time. */
  async listTools(signal: AbortSignal): Promise<readonly McpTool[]> {
    const changes = this.#changes;
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(this.options.startTimeoutMs)]);
    const tools = await this.#listPages(inTime);
    this.#changesListed = changes;
    return tools;
  }

  async #listPages(signal: AbortSignal): Promise<readonly McpTool[]> {
    const { sdk, name, startTimeoutMs: timeout } = this.options;
    const listed = new ListedTools(name);
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const request = { method: 'tools/list', params: cursor === undefined ? {} : { cursor } };
      const { tools, nextCursor } = await withOwnSignal(signal, (own) =>
        this.#client.request(request, sdk.ListToolsResultSchema, { signal: own, timeout }),
      );
      listed.add(tools);
      cursor = nextCursor;
      if (cursor === undefined) return listed.tools;
    }
    throw listed.problem(`lists its tools on more than ${MAX_PAGES} pages`);
  }

  /** Time is kept by whoever calls. */
  async call(tool: string, args: JsonObject, { signal, log }: RemoteCall): Promise<CallToolResult> {
    const told = bounded(log);
    const deafen = this.said.listen(told);
    try {
      const request = { method: 'tools/call', params: { name: tool, arguments: { ...args } } };
      return await withOwnSignal(signal, (own) =>
        this.#client.request(request, this.options.sdk.CallToolResultSchema, {
          signal: own,
          timeout: LONGEST_TIMER_MS,
          onprogress: ({ progress, total, message }) =>
            told(message ?? `${progress}${total === undefined ? '' : ` of ${total}`}`),
        }),
      );
    } finally {
      deafen();
    }
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#client.close().catch(() => undefined);
    await this.way.close();
  }
}

function hintOf({ hint }: ConnectOptions): string {
  return hint === undefined ? '' : ` (${hint})`;
}

function bounded(log: (message: string) => void): (message: string) => void {
  let lines = 0;
  return (message) => {
    lines += 1;
    if (lines <= MAX_LOG_LINES) log(message.slice(0, MAX_LOG_LENGTH));
  };
}
