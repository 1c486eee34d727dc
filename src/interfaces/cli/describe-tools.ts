import { createContainer } from '../../container.js';
import type { JsonObject } from '../../domain/json.js';
import { referencesOf } from '../../domain/template.js';
import type { Tool } from '../../domain/tool.js';
import type { InputType, InputValues, Workflow } from '../../domain/workflow.js';
import { TOKENS } from '../../ports/tokens.js';
import type { ToolSource } from '../../ports/tool-source.js';

/**
 * A workflow's tools as a model gets them. That needs no values: names, descriptions and schemas are the same
 * whatever the inputs are, and what a tool may do is left out. Compiling them also finds unsafe command templates.
 */
export async function describeTools(workflow: Workflow, workspace: string): Promise<readonly Tool[]> {
  const container = await createContainer();
  const entries = await container.get<ToolSource>(TOKENS.ToolSource).open(
    {
      declarations: workflow.tools.map((declaration) => ({ ...declaration, restrictions: {} })),
      workspace,
      inputs: standIns(workflow),
      env: environmentStandIns(workflow),
      onUnavailable: workflow.onUnavailable,
    },
    { signal: new AbortController().signal },
  );
  return entries.map(({ handler }) => handler.tool);
}

/** A tool in the shape that `toolgate parse --tools` reads again. */
export function toolToJson({ name, description, parameters }: Tool): JsonObject {
  return { name, description, parameters };
}

const STAND_IN: Readonly<Record<InputType, string | number | boolean>> = {
  string: '.',
  integer: 0,
  number: 0,
  boolean: false,
};

function standIns({ inputs }: Workflow): InputValues {
  return Object.fromEntries(inputs.map(({ name, type }) => [name, STAND_IN[type]]));
}

function environmentStandIns({ tools }: Workflow): Readonly<Record<string, string>> {
  const references = tools.flatMap(({ kind }) => (kind.type === 'command' ? referencesOf(kind.command) : []));
  const names = references.flatMap(({ path: [root, name] }) => (root === 'env' && name ? [name] : []));
  return Object.fromEntries(names.map((name) => [name, '.']));
}
