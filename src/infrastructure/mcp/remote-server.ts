import { DeniedError, messageOf, ToolgateError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { DetailedOutput } from '../../ports/tool-handler.js';
import { remoteOutput } from './remote-result.js';
import type { McpTool } from './sdk.js';
import type { RemoteCall, ServerConnection } from './server-connection.js';
import { pinOf } from './tool-pins.js';

const MAX_STARTS = 2;

/** A server whose tools were listed once: a dead one is started again once, and a tool that has changed is not called. */
export class RemoteServer {
  readonly #pins: ReadonlyMap<string, string>;
  readonly #changed = new Set<string>();
  #starts = 1;
  #live: Promise<ServerConnection>;

  private constructor(
    readonly name: string,
    readonly tools: readonly McpTool[],
    private readonly connect: () => Promise<ServerConnection>,
    first: ServerConnection,
  ) {
    this.#pins = new Map(tools.map((tool) => [tool.name, pinOf(tool)]));
    this.#live = Promise.resolve(first);
  }

  static async open(
    name: string,
    connect: () => Promise<ServerConnection>,
    signal: AbortSignal,
  ): Promise<RemoteServer> {
    const first = await connect();
    try {
      return new RemoteServer(name, await first.listTools(signal), connect, first);
    } catch (error) {
      await first.close();
      throw failed(`its tools could not be listed: ${messageOf(error)}${first.lastWords}`);
    }
  }

  async call(tool: string, args: JsonObject, call: RemoteCall): Promise<DetailedOutput> {
    const connection = await this.#connection(call.signal);
    if (connection.hasChanged) await this.#compare(connection, call.signal);
    if (this.#changed.has(tool)) throw changed(this.name, tool);
    try {
      return remoteOutput(await connection.call(tool, args, call), connection.enforcement);
    } catch (error) {
      if (!connection.isOver || call.signal.aborted) throw failed(messageOf(error));
      const doubt = 'ended while the call ran, so nobody knows whether it took effect';
      throw failed(`The MCP server "${this.name}" ${doubt}${connection.lastWords}`);
    }
  }

  async close(): Promise<void> {
    const connection = await this.#live.catch(() => undefined);
    await connection?.close();
  }

  async #connection(signal: AbortSignal): Promise<ServerConnection> {
    const connection = await this.#live;
    if (!connection.isOver) return connection;
    if (this.#starts >= MAX_STARTS) {
      throw failed(
        `The MCP server "${this.name}" has ended twice and is not started again${connection.lastWords}`,
      );
    }
    this.#starts += 1;
    this.#live = this.#startAgain(connection, signal);
    return this.#live;
  }

  async #startAgain(before: ServerConnection, signal: AbortSignal): Promise<ServerConnection> {
    await before.close();
    const connection = await this.connect();
    await this.#compare(connection, signal);
    return connection;
  }

  /** What was offered to the model is what may be called; it stays held back even if it changes back. */
  async #compare(connection: ServerConnection, signal: AbortSignal): Promise<void> {
    const now = new Map((await connection.listTools(signal)).map((tool) => [tool.name, pinOf(tool)]));
    for (const [name, pin] of this.#pins) if (now.get(name) !== pin) this.#changed.add(name);
  }
}

function failed(message: string): ToolgateError {
  return new ToolgateError('EXECUTION.TOOL.FAILED', message);
}

function changed(server: string, tool: string): DeniedError {
  const message = `Held back: the MCP server "${server}" has changed what it says of "${tool}" since it was offered.`;
  return new DeniedError(message, 'EXECUTION.APPROVAL.STALE');
}
