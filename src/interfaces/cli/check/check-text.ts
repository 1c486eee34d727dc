import { toVisible } from '../../../domain/visible-text.js';
import type { InputDeclaration } from '../../../domain/workflow.js';
import { durationText } from '../output/one-line.js';
import type { CheckReport, StepReport, ToolReport } from './check-report.js';
import { toolText } from './tool-text.js';

/** A report for people: what an agent could do at most, tool by tool. */
export function checkText(report: CheckReport): string {
  const { name, version, file, workspace, resolved } = report;
  const sections = [
    [`${name}${version === '' ? '' : ` ${version}`}: ${file} is valid`],
    [
      `workspace ${workspace}`,
      ...(resolved ? [] : ['patterns are shown as written; give the inputs with -i to see them resolved']),
      ...(report.warning === undefined ? [] : [`warning: ${report.warning}`]),
    ],
    ['inputs', ...(report.inputs.length === 0 ? ['  none'] : report.inputs.map(inputText))],
    ...report.tools.map((tool) => toolText(tool, workspace)),
    ...report.servers.map((server) => serverText(server, workspace)),
    ...(report.servers.length === 0 ? [] : [[SERVERS]]),
    sandboxText(report),
    ['steps', ...(report.steps.length === 0 ? ['  none'] : report.steps.flatMap(stepText))],
  ];
  // Nothing of the file reaches the terminal as more than text, whatever its author wrote.
  return sections.map((lines) => `${lines.map((line) => toVisible(line)).join('\n')}\n`).join('\n');
}

function serverText(server: ToolReport, workspace: string): readonly string[] {
  const [heading = '', ...rows] = toolText(server, workspace);
  return [heading, `  ${'tools'.padEnd(10)}${server.description}`, ...rows];
}

const SERVERS = '`toolgate mcp` starts the MCP servers, and says what their tools are';

/** Once for all tools: what is weaker here than it could be, and why. */
function sandboxText({ kernel, backend, reasons }: CheckReport): readonly string[] {
  const who = kernel ? `the kernel confines processes (${backend})` : 'the kernel does not confine processes';
  return [`sandbox: ${who}; \`toolgate doctor\` tries it`, ...reasons.map((reason) => `  ${reason}`)];
}

function inputText({ name, type, required, secret, default: value, description }: InputDeclaration): string {
  const need = value !== undefined ? `default ${secret ? '(secret)' : JSON.stringify(value)}` : 'optional';
  const words = [type, required && value === undefined ? 'required' : need, ...(secret ? ['secret'] : [])];
  return `  ${name}: ${words.join(', ')}${description ? ` (${description.split('\n')[0]})` : ''}`;
}

function stepText({ step, unready, warnings }: StepReport): readonly string[] {
  const { name, provider, tools, toolOptions } = step;
  const { maxCalls, timeoutPerCallMs, maxParallel, maxTokens, maxCostUsd, maxDurationMs } = toolOptions;
  const limits = [
    `at most ${maxCalls} calls`,
    `${durationText(timeoutPerCallMs)} each`,
    `${maxParallel} at once`,
    ...(maxTokens === undefined ? [] : [`${maxTokens} tokens`]),
    ...(maxCostUsd === undefined ? [] : [`$${maxCostUsd}`]),
    ...(maxDurationMs === undefined ? [] : [`${durationText(maxDurationMs)} in all`]),
  ];
  return [
    `  ${name}: ${provider} with ${tools.join(', ') || 'no tools'}; ${limits.join(', ')}`,
    ...(unready === undefined ? [] : [`    cannot run here: ${unready}`]),
    ...warnings.map((warning) => `    warning: ${warning}`),
  ];
}
