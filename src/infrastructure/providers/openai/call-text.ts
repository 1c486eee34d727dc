/** The arguments of a call while their pieces come: a list, since joining each piece to all before it is quadratic. */
export class CallText {
  readonly #pieces: string[] = [];
  #read = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isOpened = false;

  push(piece: string): void {
    if (piece !== '') this.#pieces.push(piece);
  }

  toString(): string {
    return this.#pieces.join('');
  }

  /** Whether an object has begun and come to its end. Each piece is looked at once, and only if somebody asks. */
  get isWholeObject(): boolean {
    for (; this.#read < this.#pieces.length; this.#read += 1) this.#scan(this.#pieces[this.#read] ?? '');
    return this.#isOpened && this.#depth === 0 && !this.#isInString;
  }

  #scan(piece: string): void {
    for (const character of piece) {
      if (this.#isInString) this.#scanString(character);
      else if (character === '"') this.#isInString = true;
      else if (character === '{' || character === '[') this.#open();
      else if (character === '}' || character === ']') this.#depth -= 1;
    }
  }

  #scanString(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '\\') this.#isEscaped = true;
    else if (character === '"') this.#isInString = false;
  }

  #open(): void {
    this.#isOpened = true;
    this.#depth += 1;
  }
}
