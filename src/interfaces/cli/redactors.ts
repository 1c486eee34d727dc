import { secretsOf } from '../../application/run-secrets.js';
import { createPieceRedactor } from '../../domain/redact-pieces.js';
import { createRedactor, createValueRedactor } from '../../domain/redaction.js';
import type { InputValues, Workflow } from '../../domain/workflow.js';
import type { CliIo } from './cli-io.js';
import type { Redactors } from './output/run-reporter.js';

/** What of a run's secrets is kept from the screen. */
export function redactorsOf(workflow: Workflow, inputs: InputValues, io: Pick<CliIo, 'env'>): Redactors {
  const secrets = secretsOf(workflow, inputs, io.env);
  const data = createValueRedactor(secrets);
  return { people: createRedactor(secrets), data, pieces: createPieceRedactor(secrets, data.text) };
}
