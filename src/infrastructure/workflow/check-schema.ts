import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isJsonObject } from '../../domain/json.js';
import { pointerTo } from './places.js';
import { describeSchemaError } from './schema-message.js';
import { readWorkflowSchema } from './workflow-schema.js';
import { YamlValue } from './yaml-value.js';

/** Reports all that the published schema has against a file: one finding a place, in words. */
export function checkSchema(root: YamlValue): void {
  const errors = explain(validatorOf('workflow'), root.raw, '');
  const skipped = unsupportedStates(errors);
  const seen = new Set<string>();
  for (const error of errors) {
    const key = keyOf(error);
    if (seen.has(key) || skipped.some((state) => isBelow(error, state))) continue;
    seen.add(key);
    report(error, root);
  }
}

/** Whether a part of a file has the shape that one of the schema's definitions gives it. */
export function fitsDefinition(definition: string, value: unknown): boolean {
  return validatorOf(`workflow#/definitions/${definition}`)(value);
}

function report(error: ErrorObject, root: YamlValue): void {
  const extra = error.propertyName ?? error.params.additionalProperty;
  const pointer = typeof extra === 'string' ? pointerTo(error.instancePath, extra) : error.instancePath;
  const value = new YamlValue(error.data as YamlValue['raw'], pointer, root.origin);
  value.report(describeSchemaError(error, value), extra === undefined ? 'value' : 'key');
}

/** A value that has the wrong type fails several keywords; one sentence about it is enough. */
function keyOf(error: ErrorObject): string {
  if (error.keyword === 'required') return `${error.instancePath} needs ${error.params.missingProperty}`;
  if (error.keyword === 'additionalProperties') {
    return `${error.instancePath} has ${error.params.additionalProperty}`;
  }
  return `${error.instancePath} is wrong ${error.propertyName ?? ''}`;
}

/** What else is wrong with a state of a type we do not know is noise: its keys are another type's keys. */
function unsupportedStates(errors: readonly ErrorObject[]): readonly string[] {
  return errors
    .filter((error) => error.instancePath.endsWith('/type') && error.parentSchema?.['x-unsupported'])
    .map((error) => error.instancePath.slice(0, -'/type'.length));
}

function isBelow(error: ErrorObject, state: string): boolean {
  return (
    error.instancePath !== `${state}/type` &&
    (error.instancePath === state || error.instancePath.startsWith(`${state}/`))
  );
}

/** ajv's errors, where a choice that failed is told by the branch that was meant, or as one. */
function explain(validate: ValidateFunction, data: unknown, prefix: string): ErrorObject[] {
  if (validate(data)) return [];
  const errors = (validate.errors ?? []).filter(
    ({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames',
  );
  const choices = outermostChoices(errors);
  const plain = errors.filter((error) => !choices.has(error.instancePath) && !isWithin(error, choices));
  const told = [...choices.values()].flatMap((choice) => explainChoice(choice));
  return [...plain, ...told].map((error) => ({ ...error, instancePath: prefix + error.instancePath }));
}

function outermostChoices(errors: readonly ErrorObject[]): ReadonlyMap<string, ErrorObject> {
  const choices = new Map<string, ErrorObject>();
  for (const error of errors) if (error.keyword === 'anyOf') choices.set(error.instancePath, error);
  for (const [path, error] of choices) if (isWithin(error, choices)) choices.delete(path);
  return choices;
}

function isWithin(error: ErrorObject, choices: ReadonlyMap<string, unknown>): boolean {
  let path = error.instancePath;
  while (path !== '') {
    path = path.slice(0, path.lastIndexOf('/'));
    if (choices.has(path)) return true;
  }
  return false;
}

function explainChoice(choice: ErrorObject): ErrorObject[] {
  const definition = definitionMeant(choice);
  if (definition === undefined) return [choice];
  return explain(validatorOf(`workflow${definition}`), choice.data, choice.instancePath);
}

/** The one branch that takes values of this type, where it is a definition with more to say. */
function definitionMeant(choice: ErrorObject): string | undefined {
  const type = Array.isArray(choice.data) ? 'array' : isJsonObject(choice.data) ? 'object' : 'scalar';
  const references = (choice.schema as readonly { readonly $ref?: string }[]).flatMap(
    ({ $ref }) => $ref ?? [],
  );
  return references.find((reference) => {
    const schema = validatorOf(`workflow${reference}`).schema;
    return typeof schema === 'object' && schema.type === type;
  });
}

let ajv: Ajv2020 | undefined;

function validatorOf(key: string): ValidateFunction {
  ajv ??= compiled();
  const validate = ajv.getSchema(key);
  if (!validate) throw new Error(`workflow.schema.json has no ${key}`);
  return validate as ValidateFunction;
}

function compiled(): Ajv2020 {
  // The file says draft-07, which every editor reads; it uses nothing that 2020-12 means differently.
  const { $schema: _, ...schema } = readWorkflowSchema();
  const compiler = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    strictSchema: true,
    // That our own schema is one is a test's to see: compiling the meta-schema takes longer than all the rest.
    meta: false,
    validateSchema: false,
  });
  compiler.addVocabulary(['errorMessage', 'x-unsupported']);
  return compiler.addSchema(schema, 'workflow');
}
