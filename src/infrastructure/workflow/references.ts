import type { ErrorCode } from '../../domain/errors.js';
import { parseTemplate, type ReferencePart, type TemplateError, toSnakeCase } from '../../domain/template.js';
import { RESERVED_KEYS } from './reserved-keys.js';
import { either } from './schema-message.js';
import { didYouMean } from './suggest.js';
import type { YamlValue } from './yaml-value.js';

/** Where a template stands, which decides what it may name. */
export type TemplatePlace =
  /** A prompt, a provider or one of its options: filled when the step begins. */
  | { readonly kind: 'step'; readonly step: string }
  /** The command of a provider: filled when the step begins, from the options beside it. */
  | { readonly kind: 'option'; readonly options: readonly string[] }
  /** What is said at an end of the workflow, which these steps lead to: filled when one of them is over. */
  | { readonly kind: 'end'; readonly after: readonly string[] }
  /** A tool's command: filled anew for each call. */
  | { readonly kind: 'command'; readonly parameters: ReadonlySet<string> }
  /** A restriction or the workspace: filled once, before anything runs. */
  | { readonly kind: 'setting' };

/** `{{states.build.output}}` in the prompt of a step, or in what is said at an end. */
export interface StateReference {
  readonly target: string;
  readonly from: Extract<TemplatePlace, { readonly kind: 'step' | 'end' }>;
  readonly report: (finding: TemplateFinding) => void;
}

const NAMESPACES: Record<TemplatePlace['kind'], readonly string[]> = {
  step: ['inputs', 'states', 'env'],
  end: ['inputs', 'states', 'env'],
  command: ['args', 'inputs', 'env'],
  setting: ['inputs', 'env'],
  option: ['options'],
};
const STATE_FIELDS = [
  ...['output', 'tool_calls', 'tool_stats', 'stopped_by', 'turns', 'usage', 'conversation', 'error'],
  // AWF's own.
  ...['status', 'exit_code', 'json', 'response', 'tokens_used', 'tokens_input', 'tokens_output'],
];
const MAX_PROBLEMS = 20;

/** Collects what the templates of a file name, and reports what they cannot. */
export class References {
  readonly inputs = new Set<string>();
  readonly states: StateReference[] = [];

  /** Reads every text in a value, however deep. */
  scan(value: YamlValue, place: TemplatePlace): void {
    const text = value.text();
    if (text !== undefined) this.#scanText(value, text, place);
    for (const item of value.items()) this.scan(item, place);
    for (const [, member] of value.entries()) this.scan(member, place);
  }

  /** Notes that a step goes on from another, which must have run before it. */
  goesOnFrom(target: YamlValue, from: string): void {
    const name = target.text();
    if (name === undefined) return;
    const report = ({ message, code = 'WORKFLOW.VALIDATION.MISSING_STATE', suggestion }: TemplateFinding) =>
      target.report({ code, message: `${target.path}: ${message}`, suggestion });
    this.states.push({ target: name, from: { kind: 'step', step: from }, report });
  }

  #scanText(value: YamlValue, text: string, place: TemplatePlace): void {
    const braceAt = countBraces(text);
    let problems = 0;
    for (const part of partsOf(value, text)) {
      if (part.kind !== 'reference') continue;
      const finding = this.#check(part, { value, place, brace: braceAt(part.start) });
      if (!finding) continue;
      reportAt({ value, brace: braceAt(part.start) }, finding);
      problems += 1;
      if (problems >= MAX_PROBLEMS) return;
    }
  }

  #check(part: ReferencePart, spot: Spot & { readonly place: TemplatePlace }): TemplateFinding | undefined {
    const { place } = spot;
    const [namespace = '', name] = part.path;
    const known = NAMESPACES[place.kind];
    if (!known.includes(namespace)) return unknownNamespace(namespace, known);
    if (name === undefined) return { message: `{{${namespace}}} needs a name: {{${namespace}.name}}` };
    if (namespace === 'inputs') return this.#checkInput(name);
    if (place.kind === 'option') return checkOption(name, place.options);
    if (place.kind === 'command')
      return namespace === 'args' ? checkArgument(name, place.parameters) : undefined;
    if (namespace !== 'states' || (place.kind !== 'step' && place.kind !== 'end')) return undefined;
    this.states.push({ target: name, from: place, report: (finding) => reportAt(spot, finding) });
    return checkField(part.path[2]);
  }

  #checkInput(name: string): TemplateFinding | undefined {
    if (RESERVED_KEYS.has(name)) return { message: `no input can be called \`${name}\`` };
    this.inputs.add(name);
    return undefined;
  }
}

export interface TemplateFinding {
  readonly message: string;
  readonly code?: ErrorCode;
  readonly suggestion?: () => string | undefined;
}

/** The nth `{{` of a text in the file. */
interface Spot {
  readonly value: YamlValue;
  readonly brace: number;
}

function partsOf(value: YamlValue, text: string): ReturnType<typeof parseTemplate> {
  const braceAt = countBraces(text);
  let count = 0;
  const collect = (problem: TemplateError) => {
    reportAt({ value, brace: braceAt(problem.offset) }, problem);
    count += 1;
    // A megabyte of "{{}}" is one mistake, not a quarter of a million.
    if (count >= MAX_PROBLEMS) throw problem;
  };
  try {
    return parseTemplate(text, collect);
  } catch {
    return [];
  }
}

/** How many `{{` stand before an offset; asked in order, so that a long text is read only once. */
function countBraces(text: string): (offset: number) => number {
  let count = 0;
  let next = text.indexOf('{{');
  return (offset) => {
    while (next >= 0 && next < offset) {
      count += 1;
      next = text.indexOf('{{', next + 2);
    }
    return count;
  };
}

function reportAt({ value, brace }: Spot, finding: TemplateFinding): void {
  const { message, code = 'WORKFLOW.TEMPLATE.UNKNOWN_NAME', suggestion } = finding;
  value.report({ code, message: `${value.path}: ${message}`, suggestion }, { brace });
}

function unknownNamespace(name: string, known: readonly string[]): TemplateFinding {
  const names = either(known.map((one) => `{{${one}.…}}`));
  if (name === 'args') return { message: `{{args.…}} is for commands of tools; here there is ${names}` };
  if (name === 'states') {
    return { message: `{{states.…}} is for steps; here there is ${names}` };
  }
  return {
    message: `nothing is known as \`${name.slice(0, 80)}\`; here there is ${names}`,
    suggestion: () => didYouMean(name, known, 'what there is'),
  };
}

function checkArgument(name: string, parameters: ReadonlySet<string>): TemplateFinding | undefined {
  if (parameters.has(name)) return undefined;
  return {
    message: `the tool has no parameter \`${name}\``,
    suggestion: () =>
      didYouMean(name, [...parameters], 'its parameters') ?? `declare it: parameters: [{ name: ${name} }]`,
  };
}

function checkOption(name: string, options: readonly string[]): TemplateFinding | undefined {
  if (options.includes(name)) return undefined;
  return {
    message: `the step has no option \`${name}\``,
    suggestion: () => didYouMean(name, options, 'its options') ?? 'write it beside the command',
  };
}

function checkField(field: string | undefined): TemplateFinding | undefined {
  if (field === undefined || STATE_FIELDS.includes(toSnakeCase(field))) return undefined;
  return {
    message: `a step's state has no \`${field.slice(0, 80)}\``,
    suggestion: () => didYouMean(toSnakeCase(field), STATE_FIELDS, 'it has'),
  };
}
