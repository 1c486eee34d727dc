import { ToolgateError } from '../../../domain/errors.js';
import type { Permissions } from '../../../domain/restrictions.js';
import { readShell } from '../../../domain/shell-reader.js';
import type { ToolDeclaration } from '../../../domain/workflow.js';
import type { Sandbox } from '../../../ports/sandbox.js';
import type { NoteScope } from './kernel-notes.js';

/** Stands for a value that only a call has. */
const VALUE = 'toolgate-value';

/** What a tool may run and its command names, but this machine lacks; learnt by planning, nothing is run. */
export async function missingPrograms(
  sandbox: Sandbox,
  { declaration, permissions }: { readonly declaration: ToolDeclaration; readonly permissions: Permissions },
  { workspace, onUnavailable }: NoteScope,
): Promise<readonly string[]> {
  const listed = typeof permissions.commands === 'string' ? [] : permissions.commands;
  const policy = { workspace, permissions, onUnavailable };
  const programs = [...new Set([...listed, ...programsIn(declaration)])];
  const problems = programs.map((program) =>
    sandbox.plan(policy, { kind: 'argv', argv: [program] }).then(
      () => [],
      (error: unknown) =>
        // What is refused without arguments may well be allowed with some.
        error instanceof ToolgateError && error.code === 'EXECUTION.TOOL.NOT_FOUND' ? [error.message] : [],
    ),
  );
  return (await Promise.all(problems)).flat();
}

/** The programs that a template names; those of one that only a shell can read are not known. */
function programsIn({ kind }: ToolDeclaration): readonly string[] {
  if (kind.type !== 'command') return [];
  const reading = readShell(kind.command.replace(/\{\{[^{}]*\}\}/g, VALUE), { parameters: false });
  if (!reading.ok) return [];
  const words = reading.commands.map(({ words: [first = []] }) => first.join(''));
  return words.filter((word) => !word.includes(VALUE));
}
