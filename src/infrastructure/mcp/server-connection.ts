import type { Enforcement } from '../../domain/enforcement.js';
import { ToolgateError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { type McpSdk, NO_SCHEMA_CHECKS } from './load-sdk.js';
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
}

export interface RemoteCall {
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
}

const MAX_TOOLS = 1_000;
const MAX_PAGES = 100;
const MAX_LOG_LINES = 200;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** One connection to a server: it offers the server nothing, neither a model nor a person nor files. */
export class ServerConnection {
  readonly #client: Client;
  #isOver = false;
  #hasChanged = false;

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
      this.#hasChanged = true;
    });
  }

  static async open(options: ConnectOptions): Promise<ServerConnection> {
    const said = new ServerSaid();
    const way = await options.open(said);
    const connection = new ServerConnection(options, way, said);
    try {
      const { signal, startTimeoutMs: timeout } = options;
      await connection.#client.connect(way.transport, { signal, timeout });
      return connection;
    } catch (error) {
      await way.close();
      throw new ToolgateError(
        'EXECUTION.TOOL.FAILED',
        `The MCP server "${options.name}" could not be reached: ${String(error)}${said.lastWords}`,
        { cause: error },
      );
    }
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get enforcement(): Enforcement | undefined {
    return this.way.enforcement;
  }

  /** Whether the server has said since the last listing that its tools are others now. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  get lastWords(): string {
    return this.said.lastWords;
  }

  /** All its tools, page by page; a list without end is an error. */
  async listTools(signal: AbortSignal): Promise<readonly McpTool[]> {
    const { sdk, name, startTimeoutMs: timeout } = this.options;
    this.#hasChanged = false;
    const tools: McpTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const listed = await this.#client.request({ method: 'tools/list', params }, sdk.ListToolsResultSchema, {
        signal,
        timeout,
      });
      tools.push(...listed.tools);
      cursor = listed.nextCursor;
      if (tools.length > MAX_TOOLS) break;
      if (cursor === undefined) return tools;
    }
    throw new ToolgateError(
      'EXECUTION.TOOL.FAILED',
      `The MCP server "${name}" lists more than ${MAX_TOOLS} tools, or has no end`,
    );
  }

  /** Time is kept by whoever calls. */
  async call(tool: string, args: JsonObject, { signal, log }: RemoteCall): Promise<CallToolResult> {
    const told = bounded(log);
    const deafen = this.said.listen(told);
    try {
      return await this.#client.request(
        { method: 'tools/call', params: { name: tool, arguments: { ...args } } },
        this.options.sdk.CallToolResultSchema,
        {
          signal,
          timeout: LONGEST_TIMER_MS,
          onprogress: ({ progress, total, message }) =>
            told(message ?? `${progress}${total === undefined ? '' : ` of ${total}`}`),
        },
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

function bounded(log: (message: string) => void): (message: string) => void {
  let lines = 0;
  return (message) => {
    lines += 1;
    if (lines <= MAX_LOG_LINES) log(message);
  };
}
