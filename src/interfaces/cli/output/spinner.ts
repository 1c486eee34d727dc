const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const CLEAR_LINE = '\r\x1b[K';

/** A line that moves while something is waited for. Whoever writes clears it first; it comes back by itself. */
export class Spinner {
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;
  #isShown = false;
  #text = '';

  constructor(
    private readonly write: (text: string) => void,
    private readonly isWatched: boolean,
  ) {}

  show(text: string): void {
    this.#text = text;
    if (!this.isWatched || this.#timer) return;
    this.#timer = setInterval(() => this.#draw(), FRAME_MS);
    // A spinner alone must not keep the process alive.
    this.#timer.unref();
  }

  /** Takes the line away, so that something else can be written there. */
  clear(): void {
    if (this.#isShown) this.write(CLEAR_LINE);
    this.#isShown = false;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.clear();
  }

  #draw(): void {
    this.#frame = (this.#frame + 1) % FRAMES.length;
    this.write(`${CLEAR_LINE}${FRAMES[this.#frame]} ${this.#text}`);
    this.#isShown = true;
  }
}
