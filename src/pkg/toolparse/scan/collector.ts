import { isWireFormat } from '../formats/format-table.js';
import { REPEATED_KEY } from '../json/repeated-keys.js';
import { requiredNames } from '../schema/schema-types.js';
import type {
  ParsedCall,
  ParseOptions,
  ParseResult,
  Problem,
  ProblemCode,
  StreamEvent,
  ToolSpec,
} from '../types.js';
import { bindArguments } from './bind-arguments.js';
import type { Bound } from './bound.js';
import { CallIds, isEcho, resolveName } from './call-identity.js';
import { draftNotes, expandable, isMending, repeated } from './call-notes.js';
import { DeclaredEntities } from './declared-entities.js';
import type { Draft } from './draft.js';
import type { CallReading } from './frame.js';
import { type ArgumentPolicy, policyFor, settleArguments } from './settle-arguments.js';

export interface Block {
  readonly start: number;
  readonly end: number;
}

/** Where a wire body lies, and whether the provider took it back. */
export interface BodyBlock extends Block {
  readonly refused?: boolean | undefined;
}

/** Gathers text, calls and problems into the result, and the same as events for whoever listens. */
export class Collector {
  readonly calls: ParsedCall[] = [];
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly #isDeclared: boolean;
  readonly #drops: boolean;
  readonly #policy: ArgumentPolicy;
  readonly #text: string[] = [];
  /** Blanks that stand before any other text; whether they are text is not known before what follows is. */
  #blanks = '';
  #hasProse = false;
  /** The calls of the last block, as long as nothing but blanks followed it. */
  #before: readonly ParsedCall[] = [];
  #hasBody = false;
  #within: BodyBlock | undefined;
  readonly #problems: Problem[] = [];
  readonly #ids = new CallIds();
  readonly #entities = new DeclaredEntities();
  #events: StreamEvent[] | undefined;
  #format: string | undefined;

  constructor(options: ParseOptions, isListening: boolean) {
    this.tools = new Map((options.tools ?? []).map((tool) => [tool.name, tool]));
    this.#isDeclared = options.tools !== undefined;
    this.#drops = options.unknownTools === 'drop';
    this.#policy = options;
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

  /**
   * The text of a wire body, said by `read`. Blanks before and between bodies are nobody's text. A call found in it is
   * held by `within`, for offsets in the text of a body mean nothing in the response.
   */
  body(read: () => void, within?: BodyBlock): void {
    this.#blanks = '';
    this.#hasProse = true;
    this.#within = within;
    read();
    this.#within = undefined;
    this.#hasProse = false;
    this.#hasBody = true;
  }

  /** Takes over what another collector found in the text of a body that lies at `within`; its events say the text. */
  adopt({ calls, problems }: ParseResult, events: readonly StreamEvent[], within: Block): void {
    const placed = new Map(calls.map((call) => [call, { ...call, ...within }]));
    for (const call of placed.values()) this.calls.push(call);
    for (const problem of problems) this.#problems.push({ ...problem, ...within });
    for (const event of events) {
      if (event.type === 'text-delta') this.body(() => this.text(event.text));
      else if (event.type === 'block-start') this.#events?.push({ ...event, start: within.start });
      else if (event.type === 'block-delta') this.#events?.push(event);
      else this.blockEnd(event.calls.map((call) => placed.get(call) ?? call));
    }
  }

  #say(text: string): void {
    if (text === '') return;
    if (this.#before.length > 0 && text.trim() !== '') this.#before = [];
    this.#text.push(text);
    this.#events?.push({ type: 'text-delta', text });
  }

  #flushBlanks(): void {
    this.#say(this.#blanks);
    this.#blanks = '';
  }

  /** `call` is set in event streams. */
  blockStart(format: string, start: number, call: { block?: number; name?: string } = {}): void {
    this.#flushBlanks();
    this.#events?.push({ type: 'block-start', format, start, ...call });
  }

  blockDelta(text: string, block?: number): void {
    if (text !== '')
      this.#events?.push({ type: 'block-delta', text, ...(block === undefined ? {} : { block }) });
  }

  blockEnd(calls: readonly ParsedCall[], block?: number): void {
    this.#events?.push({ type: 'block-end', calls, ...(block === undefined ? {} : { block }) });
  }

  /** Says which wire format the response is in, if nothing has said so yet. */
  wire(format: string): void {
    this.#format ??= format;
  }

  /** The provider took its reply back: none of the calls from `first` on may run. */
  withdraw(block: Block, first = 0): void {
    this.disarm(first);
    this.problem('provider-refused', 'The provider took the reply back: none of its calls may run.', block);
  }

  /** Lets none of the calls from `first` on run. Whoever calls it says why. */
  disarm(first: number): void {
    for (let index = first; index < this.calls.length; index += 1) {
      const call = this.calls[index];
      if (call) this.calls[index] = { ...call, complete: false };
    }
  }

  problem(code: ProblemCode, message: string, block: Block): void {
    const { start, end } = this.#place(block);
    this.#problems.push({ code, message, start, end });
  }

  /** Takes the calls of a block. None taken means that the block is text. */
  accept(reading: CallReading, block: Block, declaredOnly: boolean): readonly ParsedCall[] | undefined {
    const needsDeclared = declaredOnly || reading.needsDeclared === true;
    const isKnown = reading.drafts.some((draft) => this.tools.has(resolveName(draft.name, this.tools)));
    if (needsDeclared && !isKnown && reading.drafts.length > 0) return undefined;
    if (reading.drafts.some((draft) => draft.isBare && this.#requiresArguments(draft))) return undefined;
    const calls = reading.drafts.flatMap((draft) => this.#acceptDraft(draft, reading.format, block));
    if (needsDeclared && isEcho(calls, this.#before)) return this.#ignoreEcho(calls, block);
    if (calls.length === 0 && reading.text === undefined) return undefined;
    this.#before = calls;
    this.#format ??= reading.format;
    const first = this.calls.length;
    for (const call of calls) this.calls.push(call);
    if (reading.refused || (this.#within?.refused && calls.length > 0)) this.withdraw(block, first);
    return this.calls.slice(first);
  }

  #requiresArguments({ name }: Draft): boolean {
    const tool = this.tools.get(resolveName(name, this.tools));
    return requiredNames(tool?.parameters ?? {}).length > 0;
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
    const name = resolveName(draft.name, this.tools);
    const tool = this.tools.get(name);
    if (this.#isDeclared && !tool) {
      const fate = this.#drops ? ' and was dropped' : '';
      this.problem('tool-unknown', `The call names "${name}", which is no declared tool${fate}.`, block);
      if (this.#drops) return [];
    }
    const bound = this.#bind(draft, tool, format);
    if (bound.isNoCall) return this.#refuse(bound, block);
    const isWhole = draft.complete && bound.complete;
    const repeats = isRepeated(draft, bound);
    const isExpandable = this.#usesEntities(draft);
    const complete = isWhole && !repeats && !isExpandable && !bound.isUnclear;
    const notes = [
      ...draftNotes(draft, name, isWhole),
      ...bound.notes,
      ...(repeats ? [repeated(name)] : []),
      ...(isExpandable ? [expandable(name)] : []),
    ];
    for (const note of notes) this.problem(note.code, note.message, block);
    const repaired = notes.some(isMending);
    const id = this.#id(draft, block);
    const { start, end } = this.#place(block);
    return [{ id, name, arguments: bound.value, format, start, end, repaired, complete }];
  }

  /** Some models write their calls twice: between marks, and bare right behind them. */
  #ignoreEcho(calls: readonly ParsedCall[], block: Block): undefined {
    this.#ids.giveBack(calls);
    this.problem('call-echoed', 'The calls before were written again without marks; they count once.', block);
  }

  /** A provider's own calls must each be answered, so their arguments stay as they are. */
  #bind(draft: Draft, tool: ToolSpec | undefined, format: string): Bound {
    return isWireFormat(format)
      ? bindArguments(draft, tool)
      : settleArguments(draft, tool, policyFor(format, this.#policy));
  }

  #refuse({ notes }: Bound, block: Block): readonly ParsedCall[] {
    const note = notes.find(({ code }) => code === 'arguments-unusable');
    if (note) this.problem(note.code, note.message, block);
    return [];
  }

  #place(block: Block): Block {
    return this.#within ?? block;
  }

  #id({ id: wanted }: Draft, block: Block): string {
    const id = this.#ids.take(wanted);
    if (wanted !== undefined && id !== wanted)
      this.problem('id-duplicate', `The id "${wanted}" was used before.`, block);
    return id;
  }

  #usesEntities({ arguments: args }: Draft): boolean {
    if (args.kind === 'parameters') return this.#entities.areUsed(args.list, this.#text);
    return args.kind === 'element' && this.#entities.areUsed([{ key: '', text: args.text }], this.#text);
  }
}

function isRepeated(draft: Draft, bound: Bound): boolean {
  return draft.repeats || bound.repeats || draft.fixes.includes(REPEATED_KEY);
}
