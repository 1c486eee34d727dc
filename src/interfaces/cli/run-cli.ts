import { Command, CommanderError } from 'commander';
import { VERSION } from '../../application/version.js';
import type { CliIo } from './cli-io.js';
import { COMMANDS, type CommandEntry } from './command-table.js';
import { EXIT } from './exit-code.js';
import { reportError, reportUsageError } from './report-error.js';

/** Runs one command line and gives its exit code; never throws. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  let exitCode: number = EXIT.success;
  const exit = (code: number): void => {
    exitCode = code;
  };
  try {
    const program = await createProgram(argv, { io, exit });
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return usageExit(error, argv, io);
    const code = reportError(error, argv, io);
    return io.isInterrupted() ? EXIT.interrupted : code;
  }
}

async function createProgram(
  argv: readonly string[],
  host: { readonly io: CliIo; readonly exit: (code: number) => void },
): Promise<Command> {
  const { io } = host;
  const program = new Command('toolgate')
    .description('The gate between an AI agent and a machine.')
    .version(VERSION)
    // Else an option of a command would be looked for before the command as well.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err, outputError: (text) => io.err(withCode(text)) })
    .addHelpText('after', '\nExample:\n  $ toolgate init && toolgate check workflow.yaml');
  const named = commandNamed(argv);
  for (const entry of COMMANDS) {
    const command = program.command(entry.usage).description(entry.summary);
    if (entry === named) (await entry.load())(command, host);
  }
  return program;
}

/** The command that was asked for, so that the code of no other is loaded; also that of `help COMMAND`. */
function commandNamed(argv: readonly string[]): CommandEntry | undefined {
  const words = argv.filter((word) => !word.startsWith('-'));
  const name = words[0] === 'help' ? words[1] : words[0];
  return COMMANDS.find(({ usage }) => usage.split(' ')[0] === name);
}

/** Commander's errors look like ours; what it suggests stands on a line of its own. */
function withCode(text: string): string {
  return text.replace(/(?=\n|$)/, ' [USER.ARGUMENT.INVALID]');
}

/** `--help` and `--version` end in a CommanderError as well, and are none. */
function usageExit(error: CommanderError, argv: readonly string[], io: CliIo): number {
  if (error.exitCode === 0) return EXIT.success;
  if (error.code !== 'commander.help') reportUsageError(error.message, argv, io);
  return EXIT.user;
}
