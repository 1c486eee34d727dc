import type { Workflow } from '../../domain/workflow.js';
import type { WorkflowRepository } from '../../ports/workflow-repository.js';
import type { ParseOptions } from './parse-workflow.js';
import { readWorkflowFile } from './read-workflow-file.js';

/** `file` is said when one is loaded. */
export type YamlWorkflowOptions = Omit<ParseOptions, 'file'>;

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
