import type { Workflow } from '../../domain/workflow.js';
import type { WorkflowRepository } from '../../ports/workflow-repository.js';
import { readWorkflowFile } from './read-workflow-file.js';

export interface YamlWorkflowOptions {
  /** Names of handlers that a program bound. With them, a step's tool that nobody has is reported on loading. */
  readonly handlers?: readonly string[];
}

/** Workflows in YAML files: toolgate's own form, and AWF's. */
export class YamlWorkflowRepository implements WorkflowRepository {
  constructor(private readonly options: YamlWorkflowOptions = {}) {}

  async load(file: string): Promise<Workflow> {
    const bytes = await readWorkflowFile(file);
    // yaml and ajv are large: they load when a file is there to be read.
    const { parseWorkflow } = await import('./parse-workflow.js');
    return parseWorkflow(bytes, { ...this.options, file });
  }
}

/** Reads and checks one workflow file. */
export async function loadWorkflow(file: string, options: YamlWorkflowOptions = {}): Promise<Workflow> {
  return new YamlWorkflowRepository(options).load(file);
}
