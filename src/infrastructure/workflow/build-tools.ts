import type { ErrorCode } from '../../domain/errors.js';
import { isJsonObject, type JsonSchema } from '../../domain/json.js';
import { subjectOf } from '../../domain/rules/rule-subject.js';
import type { SideEffects } from '../../domain/tool.js';
import type { BuiltinName, ToolDeclaration, ToolKind } from '../../domain/workflow.js';
import { buildApproval } from './build-approval.js';
import { buildParameters } from './build-parameters.js';
import { buildRestrictions } from './build-restrictions.js';
import { durationOf } from './quantity.js';
import type { References } from './references.js';
import { reportDuplicates } from './report-duplicates.js';
import { either } from './schema-message.js';
import { didYouMean } from './suggest.js';
import { withoutMissing } from './without-missing.js';
import type { YamlValue } from './yaml-value.js';

/** The tools that need no code: named here since a file is checked before any tool is made. */
export const BUILTIN_NAMES: readonly BuiltinName[] = ['shell', 'read_file', 'write_file', 'http_request'];

/** What is wrong with a command, whatever its values will be. Whoever compiles commands knows; files only say where. */
export type CommandCheck = (
  command: string,
  tool: Pick<ToolDeclaration, 'parameters' | 'allowDash'>,
) => { readonly code: ErrorCode; readonly message: string; readonly offset?: number } | undefined;

export function buildTools(
  list: YamlValue,
  references: References,
  checkCommand: CommandCheck = () => undefined,
): readonly ToolDeclaration[] {
  const tools = list.items();
  reportDuplicates(tools.map((tool) => tool.get('name')));
  return tools.map((tool) => {
    const built = buildTool(tool, references);
    const mistake = built.kind.type === 'command' ? checkCommand(built.kind.command, built) : undefined;
    if (mistake) reportMistake(tool.get('command'), mistake);
    return built;
  });
}

function reportMistake(
  command: YamlValue,
  { code, message, offset }: NonNullable<ReturnType<CommandCheck>>,
): void {
  const finding = { code, message: `${command.path}: ${message}` };
  command.report(finding, offset === undefined ? 'value' : { at: offset });
}

function buildTool(tool: YamlValue, references: References): ToolDeclaration {
  const kind = buildKind(tool);
  const { parameters, allowDash } = buildParameters(tool);
  references.scan(tool.get('command'), { kind: 'command', parameters: namesOf(parameters) });
  references.scan(tool.get('restrictions'), { kind: 'setting' });
  return withoutMissing({
    name: tool.get('name').text() ?? '',
    kind,
    description: tool.get('description').text(),
    parameters,
    allowDash,
    approval: buildApproval(tool.get('approval'), {
      parameters,
      subject: subjectOf(kind),
      isShell: kind.type === 'builtin' && kind.builtin === 'shell',
      references,
    }),
    restrictions: buildRestrictions(tool.get('restrictions'), kind),
    timeoutMs: durationOf(tool.get('timeout')),
    sideEffects: tool.get('side_effects').text() as SideEffects | undefined,
    idempotent: tool.get('idempotent').flag(),
    exclusive: tool.get('exclusive').flag(),
  });
}

function buildKind(tool: YamlValue): ToolKind {
  const [builtin, command] = [tool.get('builtin'), tool.get('command')];
  if (builtin.isPresent && command.isPresent) {
    const message = `${tool.path} has both \`builtin\` and \`command\`; a tool is one or the other`;
    command.report({ code: 'WORKFLOW.TOOL.INVALID', message }, 'key');
  }
  if (builtin.raw === true) return builtinOf(tool.get('name'));
  if (isBuiltin(builtin.raw)) return { type: 'builtin', builtin: builtin.raw };
  const template = command.text();
  return template === undefined ? { type: 'handler' } : { type: 'command', command: template };
}

function builtinOf(name: YamlValue): ToolKind {
  const { raw } = name;
  if (isBuiltin(raw)) return { type: 'builtin', builtin: raw };
  if (typeof raw === 'string') {
    name.report({
      code: 'WORKFLOW.TOOL.INVALID',
      message: `there is no built-in tool \`${raw.slice(0, 80)}\`; there are ${either(BUILTIN_NAMES).replace(' or ', ' and ')}`,
      suggestion: () =>
        didYouMean(raw, BUILTIN_NAMES, 'to offer one under a name of your own, write `builtin:` and one of'),
    });
  }
  return { type: 'handler' };
}

function isBuiltin(value: unknown): value is BuiltinName {
  return BUILTIN_NAMES.some((name) => name === value);
}

function namesOf(parameters: JsonSchema | undefined): ReadonlySet<string> {
  return new Set(isJsonObject(parameters?.properties) ? Object.keys(parameters.properties) : []);
}
