import { type Command, InvalidArgumentError, Option } from 'commander';

/** How a command writes its data. */
export type OutputFormat = 'text' | 'json' | 'stream-json';

export interface OutputOptions {
  readonly outputFormat: OutputFormat;
}

export interface InputOptions {
  readonly input?: Readonly<Record<string, string>>;
}

export interface WorkspaceOptions {
  readonly workspace?: string;
}

export interface ApprovalOptions {
  readonly yes?: true;
  readonly approve?: readonly string[];
}

export interface DurabilityOptions {
  readonly durability: 'crash' | 'power';
}

export function addOutputFormat(command: Command, choices: readonly OutputFormat[]): Command {
  const option = new Option('--output-format <format>', 'how the data on stdout is written');
  return command.addOption(option.choices([...choices]).default('text'));
}

export function addInputs(command: Command, what = 'a value of the workflow; repeatable'): Command {
  return command.option('-i, --input <key=value>', what, collectInput);
}

export function addWorkspace(command: Command): Command {
  return command.option(
    '--workspace <dir>',
    'where tools work; beats the workflow, which beats the current directory',
  );
}

/** For commands about a run, which works where it was started. */
export function addLatestOf(command: Command): Command {
  return command.option(
    '--workspace <dir>',
    'whose newest run `latest` is; the current directory by default',
  );
}

export function addApproval(command: Command): Command {
  return command
    .option('--yes', 'answer every prompt with yes; a deny stays a deny')
    .option(
      '--approve <tool[=rule]>',
      'answer the prompts of this tool with yes: all, or those that begin with these words, fit this path pattern, or go to this host; repeatable',
      collectTool,
    );
}

export function addDurability(command: Command): Command {
  const option = new Option('--durability <level>', 'what the record of the run survives');
  return command.addOption(option.choices(['crash', 'power']).default('crash'));
}

/** Puts examples below a command's help. */
export function addExamples(command: Command, ...lines: readonly string[]): Command {
  const shown = lines.map((line) => `  $ ${line}`).join('\n');
  return command.addHelpText('after', `\n${lines.length > 1 ? 'Examples' : 'Example'}:\n${shown}`);
}

/** A map without a prototype: `-i __proto__=x` is a name like any other, and not an input of any workflow. */
function collectInput(text: string, before?: Readonly<Record<string, string>>): Record<string, string> {
  const split = text.indexOf('=');
  if (split < 1) throw new InvalidArgumentError('Write it as key=value.');
  const key = text.slice(0, split);
  if (before && Object.hasOwn(before, key)) throw new InvalidArgumentError(`"${key}" is given twice.`);
  const inputs: Record<string, string> = Object.assign(Object.create(null), before);
  inputs[key] = text.slice(split + 1);
  return inputs;
}

function collectTool(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}
