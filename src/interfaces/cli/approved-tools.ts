import type { ApprovedTool } from '../../domain/approval.js';
import { suggestName } from '../../domain/closest.js';
import { messageOf, ToolgateError } from '../../domain/errors.js';
import { readRuleText, subjectOf } from '../../domain/rules/rule-subject.js';
import type { Workflow } from '../../domain/workflow.js';
import type { ApprovalOptions } from './options.js';

/** What the container is told about `--yes` and `--approve`; a tool that is not there is a mistyped one. */
export function approvedTools(
  options: ApprovalOptions,
  { tools, mcpServers = [] }: Workflow,
): 'all' | readonly ApprovedTool[] {
  const given = options.approve ?? [];
  const approved = given.map(splitFlag).map(({ name, rule }): ApprovedTool => {
    const tool = tools.find((one) => one.name === name);
    // Which tools a server has is known once it runs; until then its name in front has to do.
    const isServers = mcpServers.some((server) => name.startsWith(`${server.name}_`));
    if (!tool && !isServers) throw unknownTool(name, tools);
    if (rule === undefined) return { tool: name };
    try {
      return { tool: name, rule: readRuleText(rule, tool && subjectOf(tool.kind)) };
    } catch (error) {
      const message = `--approve ${name}=${rule}: the rule "${rule}" ${messageOf(error)}`;
      throw new ToolgateError('USER.ARGUMENT.INVALID', message);
    }
  });
  return options.yes ? 'all' : approved;
}

/** No tool has a "=" in its name, and a rule may. */
function splitFlag(flag: string): { readonly name: string; readonly rule?: string } {
  const at = flag.indexOf('=');
  return at < 0 ? { name: flag } : { name: flag.slice(0, at), rule: flag.slice(at + 1) };
}

function unknownTool(name: string, tools: Workflow['tools']): ToolgateError {
  const known = tools.map((one) => one.name);
  const message = `--approve ${name}: the workflow has no such tool (${suggestName(name, known)})`;
  return new ToolgateError('USER.TOOL.UNKNOWN', message);
}
