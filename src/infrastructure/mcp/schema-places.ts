import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';

/** Where a schema has others, and which part of a value they speak of. */
const OF_THE_SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'] as const;
const OF_ITS_PARTS = [
  ...(['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'] as const),
  ...(['additionalProperties', 'unevaluatedProperties', 'propertyNames'] as const),
] as const;
const BY_NAME_OF_THE_SAME_VALUE = ['dependentSchemas', 'dependencies'] as const;

/** A schema inside another one, and the step from the one's value to the other's; none if it is the same value. */
export interface SchemaPlace {
  readonly schema: JsonObject;
  readonly step: string;
}

/** The schemas directly inside a schema. Definitions are left out: they speak of nothing until they are referred to. */
export function schemasIn(schema: JsonObject): readonly SchemaPlace[] {
  return [
    ...OF_THE_SAME_VALUE.flatMap((key) => places(listOf(schema[key]), '')),
    ...OF_ITS_PARTS.flatMap((key) => places(listOf(schema[key]), `/!${key}`)),
    ...places(valuesOf(schema.patternProperties), '/!patternProperties'),
    ...BY_NAME_OF_THE_SAME_VALUE.flatMap((key) => places(valuesOf(schema[key]), '')),
    ...entriesOf(schema.properties).flatMap(([name, value]) => places([value], `/${name}`)),
  ];
}

function places(values: readonly (Json | undefined)[], step: string): readonly SchemaPlace[] {
  return values.flatMap((schema) => (isJsonObject(schema) ? [{ schema, step }] : []));
}

function listOf(value: Json | undefined): readonly (Json | undefined)[] {
  return Array.isArray(value) ? value : [value];
}

function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function valuesOf(value: Json | undefined): readonly Json[] {
  return entriesOf(value).map(([, one]) => one);
}
