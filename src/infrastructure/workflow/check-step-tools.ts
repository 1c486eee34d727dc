import { closest } from '../../domain/closest.js';
import type { McpServerDeclaration, ToolDeclaration } from '../../domain/workflow.js';
import type { PlacedStep } from './build-steps.js';
import { BUILTIN_NAMES } from './build-tools.js';
import { didYouMean } from './suggest.js';
import type { YamlValue } from './yaml-value.js';

// Comparing names costs; a file with more unknown ones than this is not read by anybody.
const MAX_COMPARED = 200;

/** Whose tools are not in the list of the file. */
export interface OtherTools {
  readonly handlers: readonly string[] | undefined;
  readonly servers: readonly McpServerDeclaration[];
}

/**
 * Reports tools that a step names and nobody has. Without the names of the handlers that a program bound, a name
 * may be one of theirs; then only what is clearly a mistake is reported, and the rest when the step begins.
 */
export function checkStepTools(
  steps: readonly PlacedStep[],
  tools: readonly ToolDeclaration[],
  { handlers, servers }: OtherTools,
): void {
  const names = new Set([...tools.map(({ name }) => name), ...(handlers ?? [])]);
  const unknown = steps
    .flatMap(({ at }) => at.get('tools').items())
    .filter((tool) => tool.text() !== undefined && !names.has(tool.text() ?? ''))
    .filter((tool) => !servers.some((server) => mayHave(server, tool.text() ?? '')));
  for (const tool of unknown.slice(0, MAX_COMPARED)) {
    const server = servers.find(({ name }) => tool.text()?.startsWith(`${name}_`));
    if (server) reportRuledOut(tool, server);
    else checkTool(tool, [...names], handlers !== undefined);
  }
}

/** What a server has is known when it runs, unless the file says which of its tools are used. */
function mayHave({ name, tools }: McpServerDeclaration, tool: string): boolean {
  if (!tools) return tool.startsWith(`${name}_`);
  return toolNames(name, tools).includes(tool);
}

function toolNames(server: string, tools: readonly string[]): readonly string[] {
  return tools.map((tool) => `${server}_${tool}`.replace(/[^A-Za-z0-9_-]/g, '_'));
}

function reportRuledOut(tool: YamlValue, { name, tools = [] }: McpServerDeclaration): void {
  const written = tool.text() ?? '';
  tool.report({
    code: 'WORKFLOW.VALIDATION.MISSING_TOOL',
    message: `${tool.path}: \`${written.slice(0, 80)}\` is not one of the \`tools\` that \`mcp_servers.${name}\` lists`,
    suggestion: () => didYouMean(written, toolNames(name, tools), 'these are'),
  });
}

function checkTool(tool: YamlValue, known: readonly string[], knowsAll: boolean): void {
  const name = tool.text() ?? '';
  const isBuiltin = BUILTIN_NAMES.some((builtin) => builtin === name);
  if (!knowsAll && !isBuiltin && closest(name, known) === undefined) return;
  tool.report({
    code: 'WORKFLOW.VALIDATION.MISSING_TOOL',
    message: `${tool.path}: no tool \`${name.slice(0, 80)}\` is declared under \`tools\``,
    suggestion: () =>
      isBuiltin ? `declare it: - { name: ${name}, builtin: true }` : suggestTool(name, known),
  });
}

function suggestTool(name: string, known: readonly string[]): string {
  const hint = didYouMean(name, known, 'the tools are');
  const remedy = `a handler bound in code needs an entry of its own here: - name: ${name.slice(0, 80)}`;
  return hint === undefined ? remedy : `${hint} (${remedy})`;
}
