/** Where one value of the file is, in offsets. */
export interface Place {
  /** Where its key is; absent for list items and the root. */
  readonly key?: number;
  readonly start: number;
  readonly end: number;
  /** A number as it was written, since `1.0` is 1 once it is read. */
  readonly source?: string;
}

/** Where each value of a file is, by JSON pointer. */
export class Places {
  readonly #places = new Map<string, Place>();

  constructor(private readonly text: string) {}

  set(pointer: string, place: Place): void {
    this.#places.set(pointer, place);
  }

  /** What is missing is where the thing is that misses it. */
  find(pointer: string): Place {
    for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const place = this.#places.get(at);
      if (place) return place;
    }
    return this.#places.get('') ?? { start: 0, end: 0 };
  }

  /** Where in the file a place of a text is; where quoting or folding has changed the text, where it begins. */
  findIn(pointer: string, text: string, offset: number): number {
    const { start, end } = this.find(pointer);
    const written = this.text.slice(start, end).indexOf(text);
    return written < 0 ? start : start + written + offset;
  }

  /** Where in the file the nth `{{` of a text is: quoting and folding move characters, but keep their order. */
  findBraces(pointer: string, nth: number): number {
    const { start, end } = this.find(pointer);
    let at = this.text.indexOf('{{', start);
    for (let passed = 0; passed < nth && at >= 0; passed += 1) at = this.text.indexOf('{{', at + 2);
    return at < 0 || at >= end ? start : at;
  }
}

/** The pointer of a member; `/` and `~` in keys are escaped as RFC 6901 has it. */
export function pointerTo(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A pointer as people write it: `tools[0].approval`. */
export function pathText(pointer: string): string {
  const keys = pointer.split('/').slice(1);
  const text = keys.map((key) => {
    const plain = key.replaceAll('~1', '/').replaceAll('~0', '~');
    return /^\d+$/.test(plain) ? `[${plain}]` : `.${plain}`;
  });
  return text.join('').replace(/^\./, '') || 'the workflow';
}
