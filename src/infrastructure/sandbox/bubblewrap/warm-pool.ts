import { setTimeout as delay } from 'node:timers/promises';
import { endSandbox, type Recipe, type WaitingSandbox } from './recipe.js';

/** How long a sandbox waits for a call. */
const IDLE_MS = 30_000;
/** Not at once: whoever has just got a result may have another call at hand, and starting one takes a moment. */
const REFILL_DELAY_MS = 1;
// Only as long as the kernel takes, which is a moment unless the machine is overloaded.
const EXIT_WAIT_MS = 500;

interface Waiting {
  readonly sandbox: WaitingSandbox;
  readonly timer: NodeJS.Timeout;
}

/** All that nobody has taken yet, of all pools. */
const everywhere = new Set<WaitingSandbox>();

/** Sandboxes of one kind that were started before anybody called. Each is used once. */
export class WarmPool {
  readonly #waiting: Waiting[] = [];
  /** Being started; each is for whoever asks first. */
  readonly #coming: Promise<WaitingSandbox | undefined>[] = [];
  #isClosed = false;

  constructor(
    private readonly recipe: Recipe,
    private readonly most: number,
  ) {}

  /** One whose gate waits, if there is one, or soon will be: that is sooner than a new one. */
  async take(): Promise<WaitingSandbox | undefined> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      clearTimeout(next.timer);
      everywhere.delete(next.sandbox);
      if (next.sandbox.process.hasEnded) continue;
      next.sandbox.process.hold(true);
      return next.sandbox;
    }
    const coming = this.#coming.shift();
    const sandbox = coming && (await awaitAlive(coming));
    if (sandbox) everywhere.delete(sandbox);
    sandbox?.process.hold(true);
    return sandbox;
  }

  /** Has up to so many waiting, a little later. Never keeps our own process alive. */
  refill(wanted: number): void {
    const missing = Math.min(wanted, this.most) - this.#waiting.length - this.#coming.length;
    for (let index = 0; index < missing && !this.#isClosed; index++) {
      const coming = delay(REFILL_DELAY_MS, undefined, { ref: false }).then(() => this.#start());
      this.#coming.push(coming);
      void coming.then((sandbox) => this.#arrive(coming, sandbox));
    }
  }

  /** Ends all that wait, for what they were started for has changed. */
  drain(): void {
    void this.#empty();
  }

  /** Ends all that wait, and starts no more; resolves when they have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#empty();
  }

  async #empty(): Promise<void> {
    const coming = this.#coming.splice(0).map(async (one) => {
      const sandbox = await awaitAlive(one);
      if (sandbox) await abandon(sandbox);
    });
    await Promise.all([...this.#waiting.splice(0).map(discard), ...coming]);
  }

  /** Nobody is told of a failure: the next call starts its own, and says what is wrong. */
  async #start(): Promise<WaitingSandbox | undefined> {
    if (this.#isClosed) return undefined;
    try {
      const sandbox = await this.recipe.start([]);
      sandbox.process.hold(false);
      watchExit();
      everywhere.add(sandbox);
      return await this.#settle(sandbox);
    } catch {
      return undefined;
    }
  }

  async #settle(sandbox: WaitingSandbox): Promise<WaitingSandbox | undefined> {
    try {
      await this.recipe.settle(sandbox);
      // Read now, while nobody waits for it.
      void sandbox.process.startTime;
      return sandbox;
    } catch {
      await abandon(sandbox);
      return undefined;
    }
  }

  /** Somebody may have taken it, or emptied the pool, before it was there. */
  #arrive(coming: Promise<WaitingSandbox | undefined>, sandbox: WaitingSandbox | undefined): void {
    const index = this.#coming.indexOf(coming);
    if (index < 0) return;
    this.#coming.splice(index, 1);
    if (sandbox) this.#keep(sandbox);
  }

  #keep(sandbox: WaitingSandbox): void {
    const timer = setTimeout(() => this.#drop(waiting), IDLE_MS);
    const waiting: Waiting = { sandbox, timer: timer.unref() };
    this.#waiting.push(waiting);
  }

  #drop(waiting: Waiting): void {
    const index = this.#waiting.indexOf(waiting);
    if (index >= 0) this.#waiting.splice(index, 1);
    void discard(waiting);
  }
}

/** What is coming keeps our process from nothing; whoever waits for it has to. */
async function awaitAlive<T>(coming: Promise<T>): Promise<T> {
  const alive = setInterval(() => undefined, IDLE_MS);
  try {
    return await coming;
  } finally {
    clearInterval(alive);
  }
}

async function discard({ sandbox, timer }: Waiting): Promise<void> {
  clearTimeout(timer);
  await abandon(sandbox);
}

async function abandon(sandbox: WaitingSandbox): Promise<void> {
  everywhere.delete(sandbox);
  await endSandbox(sandbox);
}

let isWatching = false;

/** They die with us by themselves; but then nobody would be left to remove their cgroups. */
function watchExit(): void {
  if (isWatching) return;
  isWatching = true;
  process.once('exit', () => {
    for (const { process: sandbox } of everywhere) sandbox.kill();
    const deadline = performance.now() + EXIT_WAIT_MS;
    for (const { cgroup } of everywhere) {
      while (cgroup?.removeNow() === false && performance.now() < deadline) pause();
    }
  });
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}
