import { basename } from 'node:path';
import type { PlannedCommand } from '../../domain/plan.js';
import { readShell, type ShellCommand, type ShellWord } from '../../domain/shell-reader.js';
import type { ProcessCommand, ProcessPlan, SandboxPolicy } from '../../ports/sandbox.js';
import { MANY_IN_ONE } from './argument-rules.js';
import { type Binary, BinaryResolver, isSameBinary } from './binary-resolver.js';
import { isShellWord } from './shell-words.js';
import { wrappedCommandIndex } from './wrappers.js';

type Reading = Pick<ProcessPlan, 'commands' | 'unread'>;

/** Parts of the shell that neither run anything nor change what later words mean. */
const HARMLESS = new Set(['cd', ':', 'exit', 'umask', 'wait']);

/** Says which programs a command would start, for approval rules: it decides nothing, and refuses nothing. */
export class CommandReading {
  readonly #resolver: BinaryResolver;
  readonly #listed: readonly Binary[];

  constructor(private readonly policy: SandboxPolicy) {
    this.#resolver = BinaryResolver.for(policy);
    const { commands } = policy.permissions;
    const names = typeof commands === 'string' ? [] : commands;
    this.#listed = names.flatMap((name) => this.#resolver.resolve(name, policy.workspace) ?? []);
  }

  read(command: ProcessCommand): Reading {
    switch (command.kind) {
      case 'argv':
        return this.#readAll([command.argv]);
      case 'script':
        return this.#readText(command.script, command.args);
      case 'command-line':
        return this.#readText(command.commandLine, undefined);
      default:
        return command satisfies never;
    }
  }

  #readText(text: string, args: readonly string[] | undefined): Reading {
    const reading = readShell(text, { parameters: args !== undefined });
    if (!reading.ok) return { commands: [], unread: `${reading.problem} is not read by rules` };
    return this.#readAll(reading.commands.map((each) => wordsOf(each, args ?? [])));
  }

  #readAll(lines: readonly (readonly string[])[]): Reading {
    const moves = lines.length > 1 && lines.some(([word]) => word === 'cd');
    const unread = lines.map((words) => wordProblem(words, moves)).find((problem) => problem !== undefined);
    const commands = lines.map((words) => this.#locate(words));
    return { commands, ...(unread === undefined ? {} : { unread }) };
  }

  #locate([word = '', ...args]: readonly string[]): PlannedCommand {
    if (isShellWord(word)) return { name: word, path: word, args };
    const binary = this.#find(word);
    if (!binary) return { path: word, args };
    const at = wrappedCommandIndex(binary.name, args);
    // A rule about `git push` speaks of `timeout 10 git push` as well.
    if (at !== undefined && at >= 0) return this.#locate(args.slice(at));
    const { name, path } = binary;
    const place = { path, ...linkOf(binary), args };
    return this.#isNamed(binary) ? { name, ...place } : place;
  }

  #find(word: string): Binary | undefined {
    const named = word.includes('/') ? undefined : this.#listed.find(({ name }) => name === word);
    return named ?? this.#resolver.resolve(word, this.policy.workspace);
  }

  /** Whether the bare name leads to this very file: `/usr/bin/git` is git, a `git` in the workspace is not. */
  #isNamed(binary: Binary): boolean {
    const meant = this.#find(binary.name);
    return meant !== undefined && isSameBinary(meant, binary);
  }
}

/** What a link of another name leads to; not for one file that is many programs. */
function linkOf({ name, realPath }: Binary): Pick<PlannedCommand, 'real'> {
  const file = basename(realPath);
  return file === name || MANY_IN_ONE.has(file) ? {} : { real: realPath };
}

/** A word as it stands, values filled in. */
export function wordsOf({ words }: ShellCommand, args: readonly string[]): readonly string[] {
  return words.map((word) => fill(word, args));
}

function fill(word: ShellWord, args: readonly string[]): string {
  return word.map((part) => (typeof part === 'string' ? part : (args[part.parameter - 1] ?? ''))).join('');
}

function wordProblem([word = '']: readonly string[], moves: boolean): string | undefined {
  if (/^\w+=/.test(word)) return 'it sets a variable, which can change what a program does';
  if (isShellWord(word) && !HARMLESS.has(word)) return `"${word}" is part of the shell, and can run anything`;
  if (moves && word.includes('/') && !word.startsWith('/')) {
    return `"${word}" is another program after "cd"`;
  }
  return undefined;
}
