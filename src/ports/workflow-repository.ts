import type { Workflow } from '../domain/workflow.js';

/** Reads workflows. Reports every problem of a file at once, each with its place. */
export interface WorkflowRepository {
  load(file: string): Promise<Workflow>;
}
