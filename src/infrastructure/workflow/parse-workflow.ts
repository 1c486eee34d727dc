import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import { deepFreeze } from '../../domain/json.js';
import type { OnUnavailable, Workflow } from '../../domain/workflow.js';
import { buildBudget } from './build-budget.js';
import { buildAllSteps } from './build-dialects.js';
import { buildFormats } from './build-formats.js';
import { buildInputs } from './build-inputs.js';
import { buildServers } from './build-servers.js';
import { buildTools, type CommandCheck } from './build-tools.js';
import { checkSchema } from './check-schema.js';
import { checkStepTools } from './check-step-tools.js';
import { checkToolFormats } from './check-tool-formats.js';
import { decodeText } from './decode-text.js';
import { Problems } from './problems.js';
import { assertWorkflowSize } from './read-workflow-file.js';
import { readYaml } from './read-yaml.js';
import { References } from './references.js';
import { checkStepGraph } from './step-graph.js';
import { withoutMissing } from './without-missing.js';
import type { YamlValue } from './yaml-value.js';

export interface ParseOptions {
  /** Where the text came from, for messages. */
  readonly file?: string;
  /** Names of handlers that a program bound. With them, a step's tool that nobody has is reported here. */
  readonly handlers?: readonly string[];
  /** Finds what is unsafe about commands, so that it is reported with everything else. */
  readonly checkCommand?: CommandCheck;
}

/** Reads a workflow from its text or bytes. Throws one WorkflowProblemsError with all that is wrong. */
export function parseWorkflow(source: string | Uint8Array, options: ParseOptions = {}): Workflow {
  const file = options.file ?? 'workflow';
  // A string of 50 MB is refused by its length, before it is copied.
  assertWorkflowSize(file, source.length);
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  assertWorkflowSize(file, bytes.length);
  const problems = new Problems(decodeText(file, bytes));
  const root = readYaml(problems);
  checkSchema(root);
  const workflow = build(root, options);
  problems.throwIfAny();
  const hash = createHash('sha256').update(bytes).digest('hex');
  return deepFreeze(withoutMissing({ ...workflow, hash, file: options.file }));
}

function build(root: YamlValue, options: ParseOptions): Omit<Workflow, 'hash' | 'file'> {
  const references = new References();
  references.scan(root.get('workspace'), { kind: 'setting' });
  const tools = buildTools(root.get('tools'), references, options.checkCommand);
  const mcpServers = buildServers(root.get('mcp_servers'), references);
  const steps = buildAllSteps(root, references);
  checkStepGraph(steps, references.states);
  checkStepTools(steps, tools, { handlers: options.handlers, servers: mcpServers });
  const formats = buildFormats(root.get('formats'));
  checkToolFormats(steps, formats);
  return withoutMissing({
    name: root.get('name').text() ?? nameOf(options.file),
    version: root.get('version').written() ?? '',
    description: root.get('description').text(),
    workspace: root.get('workspace').text(),
    inputs: buildInputs(root.get('inputs'), references.inputs),
    onUnavailable: (root.get('sandbox').get('on_unavailable').text() ?? 'deny') as OnUnavailable,
    budget: root.get('budget').isPresent ? buildBudget(root.get('budget')) : undefined,
    tools,
    formats,
    mcpServers: mcpServers.length > 0 ? mcpServers : undefined,
    steps: steps.map(({ step }) => step),
  });
}

function nameOf(file: string | undefined): string {
  return file === undefined ? 'workflow' : basename(file, extname(file)) || 'workflow';
}
