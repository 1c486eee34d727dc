import { DeniedError, ToolgateError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { DetailedOutput } from '../../ports/tool-handler.js';
import { isUnheard, reasonOf } from './connection-problem.js';
import { OfferedTools } from './offered-tools.js';
import { whileWanted } from './own-signal.js';
import { remoteOutput } from './remote-result.js';
import type { McpTool } from './sdk.js';
import type { RemoteCall, ServerConnection } from './server-connection.js';
import { clipped } from './server-said.js';

export interface RemoteServerOptions {
  readonly name: string;
  readonly connect: () => Promise<ServerConnection>;
  /** Ends all that is done for nobody in particular: starting again, looking at what has changed. */
  readonly signal: AbortSignal;
  /** Whether it runs without us: such a one may come back at any time, and may forget us at any time. */
  readonly isReached: boolean;
}

const MAX_STARTS = 2;
const MAX_LOOKS = 3;
/** A server that says all the time that it has changed is looked at now and then. */
const LOOK_AGAIN_MS = 200;

/** A server whose tools were listed once: a dead one is started again once, and a tool that has changed is not called. */
export class RemoteServer {
  readonly offered: OfferedTools;
  #starts = 1;
  #live: Promise<ServerConnection>;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly options: RemoteServerOptions,
    readonly tools: readonly McpTool[],
    first: ServerConnection,
  ) {
    this.offered = new OfferedTools(tools);
    this.#live = Promise.resolve(first);
    this.#listenTo(first);
  }

  static async open(options: RemoteServerOptions): Promise<RemoteServer> {
    const first = await options.connect();
    try {
      return new RemoteServer(options, await first.listTools(options.signal), first);
    } catch (error) {
      await first.close();
      throw failed(`its tools could not be listed: ${reasonOf(error)}${first.lastWords}`);
    }
  }

  get name(): string {
    return this.options.name;
  }

  async call(tool: string, args: JsonObject, call: RemoteCall): Promise<DetailedOutput> {
    const first = await whileWanted(this.#connection(), call.signal);
    try {
      return await this.#callOver(first, tool, args, call);
    } catch (error) {
      if (!(error instanceof Unheard) || !this.options.isReached) throw error;
      // Nobody has heard of this call, so it is no second one.
      first.giveUp();
    }
    return this.#callOver(await whileWanted(this.#connection(), call.signal), tool, args, call);
  }

  async #callOver(
    connection: ServerConnection,
    tool: string,
    args: JsonObject,
    call: RemoteCall,
  ): Promise<DetailedOutput> {
    await whileWanted(this.#upToDate(connection), call.signal);
    this.#checkOffered(tool);
    try {
      return remoteOutput(await connection.call(tool, args, call), connection.enforcement);
    } catch (error) {
      if (isUnheard(error) && !call.signal.aborted) throw new Unheard(this.name, reasonOf(error));
      if (!connection.isOver || call.signal.aborted) throw failed(reasonOf(error));
      const doubt = 'ended while the call ran, so nobody knows whether it took effect';
      throw failed(`The MCP server "${this.name}" ${doubt}${connection.lastWords}`);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const connection = await this.#live.catch(() => undefined);
    await connection?.close();
  }

  #checkOffered(tool: string): void {
    const fate = this.offered.fateOf(tool);
    if (fate === 'gone') throw failed(`The MCP server "${this.name}" no longer has this tool.`);
    if (fate !== 'changed') return;
    const message = `Held back: the MCP server "${this.name}" has changed what it says of "${tool}" since it was offered.`;
    throw new DeniedError(message, 'EXECUTION.APPROVAL.STALE');
  }

  async #connection(): Promise<ServerConnection> {
    const live = this.#live;
    const connection = await live;
    // Of two calls that find it dead, one starts it again, and the other waits for that.
    if (live !== this.#live) return this.#connection();
    if (!connection.isOver) return connection;
    if (!this.options.isReached && this.#starts >= MAX_STARTS) {
      throw failed(
        `The MCP server "${this.name}" has ended twice and is not started again${connection.lastWords}`,
      );
    }
    this.#starts += 1;
    const again = this.#startAgain(connection);
    this.#live = again;
    if (this.options.isReached) again.catch(() => this.#tryAgainLater(live));
    return again;
  }

  /** One that cannot be reached now may be back when it is called next. */
  #tryAgainLater(before: Promise<ServerConnection>): void {
    this.#live = before;
  }

  async #startAgain(before: ServerConnection): Promise<ServerConnection> {
    await before.close();
    const connection = await this.options.connect();
    try {
      this.#listenTo(connection);
      await this.#compare(connection);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Looks at once, but not at a server that nobody watches: whoever calls it next looks first. */
  #listenTo(connection: ServerConnection): void {
    connection.onListChanged = () => {
      if (!this.offered.isWatched || this.#timer) return;
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        // One that cannot be listed now is looked at again before its next call, which then says why.
        this.#upToDate(connection).catch(() => undefined);
      }, LOOK_AGAIN_MS).unref();
    };
  }

  /** Nothing is called on the word of a list that the server has taken back. */
  async #upToDate(connection: ServerConnection): Promise<void> {
    for (let looks = 0; this.#looking || connection.hasChanged; looks += 1) {
      if (looks >= MAX_LOOKS) throw failed('its tools change faster than they can be read');
      this.#looking ??= this.#compare(connection).finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
    }
  }

  async #compare(connection: ServerConnection): Promise<void> {
    this.offered.compareWith(await connection.listTools(this.options.signal));
  }
}

/** A call that has certainly had no effect. */
class Unheard extends ToolgateError {
  constructor(server: string, reason: string) {
    super('EXECUTION.TOOL.FAILED', `The MCP server "${server}" could not be reached: ${reason}`);
  }
}

function failed(message: string): ToolgateError {
  return new ToolgateError('EXECUTION.TOOL.FAILED', clipped(message));
}
