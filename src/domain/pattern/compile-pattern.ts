import { ExpressionError } from '../expression/expression-error.js';
import { parsePattern } from './parse-pattern.js';
import type { Instruction, Pattern, PatternNode } from './pattern.js';

/** A text is compared with all of them at each of its characters, so there must not be many. */
const MAX_INSTRUCTIONS = 256;
/** Counts that are nested multiply, also where what they repeat is empty. */
const MAX_PARTS = 10_000;

/** Reads and compiles a pattern. `offset` is where it stands in the condition, for messages. */
export function compilePattern(source: string, offset = 0): Pattern {
  const compiler = new Compiler(offset);
  compiler.emit(parsePattern(source, offset));
  return [...compiler.program, { op: 'match' }];
}

class Compiler {
  readonly program: Instruction[] = [];
  #parts = 0;

  constructor(private readonly offset: number) {}

  emit(node: PatternNode): void {
    this.#parts += 1;
    if (this.program.length > MAX_INSTRUCTIONS || this.#parts > MAX_PARTS) {
      throw new ExpressionError('in the pattern: it repeats or chooses among too much', this.offset);
    }
    switch (node.kind) {
      case 'empty':
        return;
      case 'character':
        this.program.push({ op: 'character', test: node.test });
        return;
      case 'assertion':
        this.program.push({ op: 'assertion', assertion: node.assertion });
        return;
      case 'sequence':
        for (const part of node.parts) this.emit(part);
        return;
      case 'choice':
        this.#emitChoice(node.branches);
        return;
      case 'repeat':
        this.#emitRepeat(node);
        return;
      default:
        throw node satisfies never;
    }
  }

  #emitChoice(branches: readonly PatternNode[]): void {
    const exits: { to: number }[] = [];
    for (const [index, branch] of branches.entries()) {
      const split = index < branches.length - 1 ? this.#split() : undefined;
      this.emit(branch);
      if (!split) continue;
      const exit = { op: 'jump' as const, to: 0 };
      this.program.push(exit);
      exits.push(exit);
      split.second = this.program.length;
    }
    for (const exit of exits) exit.to = this.program.length;
  }

  #emitRepeat({ part, min, max }: Extract<PatternNode, { kind: 'repeat' }>): void {
    for (let count = 0; count < min; count += 1) this.emit(part);
    if (max === Number.POSITIVE_INFINITY) {
      const start = this.program.length;
      const split = this.#split();
      this.emit(part);
      this.program.push({ op: 'jump', to: start });
      split.second = this.program.length;
      return;
    }
    const splits: { second: number }[] = [];
    for (let count = min; count < max; count += 1) {
      splits.push(this.#split());
      this.emit(part);
    }
    for (const split of splits) split.second = this.program.length;
  }

  /** Goes on with what follows it; where else it goes is known once that is there. */
  #split(): { second: number } {
    const split = { op: 'split' as const, first: this.program.length + 1, second: 0 };
    this.program.push(split);
    return split;
  }
}
