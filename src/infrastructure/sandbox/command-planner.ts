import { DeniedError, ToolgateError } from '../../domain/errors.js';
import { quoteWord } from '../../domain/shell-quote.js';
import { readShell } from '../../domain/shell-reader.js';
import type { ProcessCommand, ProcessPlan, SandboxPolicy } from '../../ports/sandbox.js';
import { ArgumentPaths } from './argument-paths.js';
import { type ArgumentScope, checkArguments } from './argument-rules.js';
import { type Binary, BinaryResolver, isSameBinary } from './binary-resolver.js';
import { CommandReading, wordsOf } from './command-reading.js';
import { isShellWord } from './shell-words.js';
import { shown } from './shown.js';
import { VisiblePaths } from './visible-paths.js';
import { wrappedCommandIndex } from './wrappers.js';

export interface PlannerOptions {
  /** Whether the kernel will hold files and network of what runs; if not, more has to be refused beforehand. */
  readonly contained: boolean;
}

/** What runs scripts. */
const SHELL = '/bin/sh';

/** Turns what somebody wants to run into the exact arguments that will run, or refuses it. Starts nothing. */
export class CommandPlanner {
  readonly #resolver: BinaryResolver;
  readonly #reading: CommandReading;

  private constructor(
    private readonly policy: SandboxPolicy,
    private readonly checks: Pick<ArgumentScope, 'paths' | 'visible'>,
  ) {
    this.#resolver = BinaryResolver.for(policy);
    this.#reading = new CommandReading(policy);
  }

  static async create(policy: SandboxPolicy, { contained }: PlannerOptions): Promise<CommandPlanner> {
    const isList = typeof policy.permissions.commands !== 'string';
    return new CommandPlanner(policy, {
      paths: isList && !contained ? await ArgumentPaths.of(policy) : undefined,
      visible: isList && contained ? new VisiblePaths(policy) : undefined,
    });
  }

  plan(command: ProcessCommand): readonly string[] {
    switch (command.kind) {
      case 'argv':
        checkTexts(command.argv);
        return this.#planWords(command.argv);
      case 'script':
        checkTexts([command.script, ...command.args]);
        return this.#planScript(command.script, command.args);
      case 'command-line':
        checkTexts([command.commandLine]);
        if (this.policy.permissions.commands === 'any') return [SHELL, '-c', command.commandLine];
        return this.#planRead(command.commandLine, undefined);
      default:
        return command satisfies never;
    }
  }

  /** The programs it would start, for rules to speak of. */
  read(command: ProcessCommand): Pick<ProcessPlan, 'commands' | 'unread'> {
    return this.#reading.read(command);
  }

  #planScript(script: string, args: readonly string[]): readonly string[] {
    if (typeof this.policy.permissions.commands === 'string') return [SHELL, '-c', script, 'sh', ...args];
    return this.#planRead(script, args);
  }

  /** The shell never sees what was written: it gets our own text, made of what was understood. */
  #planRead(source: string, args: readonly string[] | undefined): readonly string[] {
    const reading = readShell(source, { parameters: args !== undefined });
    if (!reading.ok) {
      throw new DeniedError(
        `The command is refused: ${reading.problem}, at character ${reading.offset + 1}, is not supported where commands are listed; only words, quotes and the operators ; && || | are`,
      );
    }
    const planned = reading.commands.map((command) => ({
      argv: this.#planWords(wordsOf(command, args ?? [])),
      operator: command.operator,
    }));
    const [only] = planned;
    if (only && planned.length === 1) return only.argv;
    const text = planned.map(({ argv, operator }, index) => {
      const isLast = index === planned.length - 1;
      return `${argv.map(quoteWord).join(' ')}${isLast || !operator ? '' : ` ${operator} `}`;
    });
    return [SHELL, '-c', text.join('')];
  }

  #planWords(words: readonly string[]): readonly string[] {
    const [word = '', ...args] = words;
    const { commands } = this.policy.permissions;
    if (commands === 'any') return [this.#find(word).path, ...args];
    if (commands !== 'system') return this.#planListed(word, args, commands);
    const binary = this.#find(word);
    if (this.#resolver.isSystem(binary)) return [binary.path, ...args];
    throw new DeniedError(`${shown(word)} is refused: only programs of the system may be run`);
  }

  #planListed(word: string, args: readonly string[], commands: readonly string[]): readonly string[] {
    if (/^\w+=/.test(word)) throw new DeniedError(`${shown(word)} is refused: assignments are not supported`);
    const listed = commands.flatMap((name) => this.#resolver.resolve(name, this.policy.workspace) ?? []);
    const named = word.includes('/') ? undefined : listed.find(({ name }) => name === word);
    const binary = named ?? this.#find(word);
    if (!listed.some((entry) => isSameBinary(entry, binary))) {
      const names = commands.length === 0 ? 'none is listed' : `listed: ${commands.join(', ')}`;
      throw new DeniedError(
        `${shown(word)} is refused: it is not one of the commands this tool may run (${names})`,
      );
    }
    const at = wrappedCommandIndex(binary.name, args);
    if (at === undefined)
      return [
        binary.path,
        ...checkArguments(binary, args, { workspace: this.policy.workspace, ...this.checks }),
      ];
    if (at < 0)
      throw new DeniedError(`${shown(word)} is refused: it is not clear which program it would run`);
    return [binary.path, ...args.slice(0, at), ...this.#planWords(args.slice(at))];
  }

  #find(word: string): Binary {
    const binary = this.#resolver.resolve(word, this.policy.workspace);
    if (binary) return binary;
    const where = word.includes('/') ? '' : ' in the directories of the system';
    const problem = isShellWord(word)
      ? 'it is part of the shell’s language, not a program'
      : `there is no such program${where}`;
    if (!this.#mightRun(word)) throw new DeniedError(`${shown(word)} is refused: ${problem}`);
    const message = `${shown(word)} cannot be run: ${problem}; it has to be installed first`;
    throw new ToolgateError('EXECUTION.TOOL.NOT_FOUND', message);
  }

  /** Whether it could be run if only it were there: then that it is not is no refusal. */
  #mightRun(word: string): boolean {
    const { commands } = this.policy.permissions;
    if (word === '' || isShellWord(word)) return false;
    if (commands === 'system') return !word.includes('/');
    return commands === 'any' || commands.includes(word);
  }
}

/** Whether every program that is to run was looked at; without a list a shell may get a script as it stands. */
export function isExecChecked({ argv, policy }: ProcessPlan): boolean {
  const { commands } = policy.permissions;
  return commands !== 'any' && (commands !== 'system' || argv[0] !== SHELL);
}

/** No process can be given these, so what is approved would not be what arrives. */
function checkTexts(texts: readonly string[]): void {
  if (texts.some((text) => text.includes('\0')))
    throw new DeniedError('The command contains a NUL character');
  if (texts.some((text) => /\p{Surrogate}/u.test(text))) {
    throw new DeniedError('The command contains half a character (a lone surrogate)');
  }
}
