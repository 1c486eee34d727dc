import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolgateError } from '../../domain/errors.js';
import type { JsonSchema } from '../../domain/json.js';

const SCHEMA_FILE = join('schema', 'workflow.schema.json');

/** The published JSON Schema of workflow files, as `toolgate schema` prints it. */
export function readWorkflowSchema(): JsonSchema {
  return JSON.parse(readFileSync(findSchema(dirname(fileURLToPath(import.meta.url))), 'utf8')) as JsonSchema;
}

/** The sources and the bundle lie at different depths below the package's folder, where the schema is. */
function findSchema(folder: string): string {
  const file = join(folder, SCHEMA_FILE);
  if (existsSync(file)) return file;
  if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) {
    throw new ToolgateError('SYSTEM.INTERNAL.BUG', `${SCHEMA_FILE} is missing from this installation`);
  }
  return findSchema(dirname(folder));
}
