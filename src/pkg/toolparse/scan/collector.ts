import { REPEATED_KEY } from '../json/repeated-keys.js';
import type {
  ParsedCall,
  ParseOptions,
  ParseResult,
  Problem,
  ProblemCode,
  StreamEvent,
  ToolSpec,
} from '../types.js';
import { bindArguments, repairNote } from './bind-arguments.js';
import type { Draft } from './draft.js';
import type { CallReading, Note } from './frame.js';

export interface Block {
  readonly start: number;
  readonly end: number;
}

/** Gathers text, calls and problems into the result, and the same as events for whoever listens. */
export class Collector {
  readonly calls: ParsedCall[] = [];
  readonly #tools: ReadonlyMap<string, ToolSpec>;
  readonly #isDeclared: boolean;
  readonly #drops: boolean;
  readonly #text: string[] = [];
  /** Blanks that stand before any other text; whether they are text is not known before what follows is. */
  #blanks = '';
  #hasProse = false;
  #hasBody = false;
  readonly #problems: Problem[] = [];
  readonly #ids = new Set<string>();
  #events: StreamEvent[] | undefined;
  #format: string | undefined;

  constructor(options: ParseOptions, isListening: boolean) {
    this.#tools = new Map((options.tools ?? []).map((tool) => [tool.name, tool]));
    this.#isDeclared = options.tools !== undefined;
    this.#drops = options.unknownTools === 'drop';
    this.#events = isListening ? [] : undefined;
  }

  text(text: string): void {
    if (text === '') return;
    if (!this.#hasProse && text.trim() === '') {
      this.#blanks += text;
      return;
    }
    this.#flushBlanks();
    this.#hasProse = true;
    this.#say(text);
  }

  /** The text of a wire body, said by `read`. Blanks before and between bodies are nobody's text. */
  body(read: () => void): void {
    this.#blanks = '';
    this.#hasProse = true;
    read();
    this.#hasProse = false;
    this.#hasBody = true;
  }

  #say(text: string): void {
    if (text === '') return;
    this.#text.push(text);
    this.#events?.push({ type: 'text-delta', text });
  }

  #flushBlanks(): void {
    this.#say(this.#blanks);
    this.#blanks = '';
  }

  blockStart(format: string, start: number): void {
    this.#flushBlanks();
    this.#events?.push({ type: 'block-start', format, start });
  }

  blockDelta(text: string): void {
    if (text !== '') this.#events?.push({ type: 'block-delta', text });
  }

  blockEnd(calls: readonly ParsedCall[]): void {
    this.#events?.push({ type: 'block-end', calls });
  }

  problem(code: ProblemCode, message: string, block: Block): void {
    this.#problems.push({ code, message, start: block.start, end: block.end });
  }

  /** Takes the calls of a block. None taken means that the block is text. */
  accept(reading: CallReading, block: Block, declaredOnly: boolean): readonly ParsedCall[] | undefined {
    const needsDeclared = declaredOnly || reading.needsDeclared === true;
    const isKnown = reading.drafts.some((draft) => this.#tools.has(this.#resolve(draft.name)));
    if (needsDeclared && !isKnown && reading.drafts.length > 0) return undefined;
    const calls = reading.drafts.flatMap((draft) => this.#acceptDraft(draft, reading.format, block));
    if (calls.length === 0 && reading.text === undefined) return undefined;
    this.#format ??= reading.format;
    for (const call of calls) this.calls.push(call);
    return calls;
  }

  takeEvents(): StreamEvent[] {
    const events = this.#events ?? [];
    if (this.#events) this.#events = [];
    return events;
  }

  result(): ParseResult {
    if (!this.#hasBody) this.#flushBlanks();
    return {
      calls: this.calls,
      text: this.#text.join(''),
      format: this.#format ?? 'text',
      problems: this.#problems,
    };
  }

  #acceptDraft(draft: Draft, format: string, block: Block): readonly ParsedCall[] {
    const name = this.#resolve(draft.name);
    const tool = this.#tools.get(name);
    if (this.#isDeclared && !tool) {
      const fate = this.#drops ? ' and was dropped' : '';
      this.problem('tool-unknown', `The call names "${name}", which is no declared tool${fate}.`, block);
      if (this.#drops) return [];
    }
    const bound = bindArguments(draft, tool);
    const isWhole = draft.complete && bound.complete;
    const repeats = draft.repeats || bound.repeats || draft.fixes.includes(REPEATED_KEY);
    const complete = isWhole && !repeats;
    const notes = [
      ...this.#notes(draft, name, isWhole),
      ...bound.notes,
      ...(repeats ? [repeated(name)] : []),
    ];
    for (const note of notes) this.problem(note.code, note.message, block);
    const repaired = notes.some((note) => MENDING.has(note.code));
    const id = this.#id(draft.id, block);
    return [
      { id, name, arguments: bound.value, format, start: block.start, end: block.end, repaired, complete },
    ];
  }

  #notes(draft: Draft, name: string, complete: boolean): readonly Note[] {
    const notes: Note[] = [];
    if (name !== draft.name)
      notes.push({ code: 'tool-renamed', message: `"${draft.name}" was read as "${name}".` });
    if (draft.fixes.length > 0) notes.push(repairNote(draft.fixes));
    if (!complete)
      notes.push({ code: 'call-truncated', message: `The text ends inside the call of "${name}".` });
    else if (draft.unclosed)
      notes.push({ code: 'call-unclosed', message: 'The closing mark of the call is missing.' });
    return notes;
  }

  /** Models put a namespace before a tool's name (`functions.get_weather`); it goes when only the rest is declared. */
  #resolve(name: string): string {
    if (this.#tools.has(name)) return name;
    const bare = name.slice(
      Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('/')) + 1,
    );
    return this.#tools.has(bare) ? bare : name;
  }

  #id(wanted: string | undefined, block: Block): string {
    const positional = `call_${this.#ids.size + 1}`;
    let id = wanted ?? positional;
    if (wanted !== undefined && this.#ids.has(wanted)) {
      this.problem('id-duplicate', `The id "${wanted}" was used before.`, block);
      id = positional;
    }
    while (this.#ids.has(id)) id += '_';
    this.#ids.add(id);
    return id;
  }
}

function repeated(name: string): Note {
  const message = `The call of "${name}" gives a parameter twice; which one is meant is not known.`;
  return { code: 'duplicate-parameter', message };
}

const MENDING: ReadonlySet<ProblemCode> = new Set([
  'json-repaired',
  'arguments-stringified',
  'arguments-coerced',
] as const);
