import { spawnSync } from 'node:child_process';
import type { JsonObject } from '../../../../src/domain/json.js';
import { isJsonObject } from '../../../../src/domain/json.js';
import type { AttackCase } from './attack-case.js';
import { type Evidence, isRefused, lastCall, toldText } from './evidence.js';
import { argumentsOf } from './make-call.js';
import { isReply } from './take-turns.js';

/** Why a value did not arrive as exactly what it was. A value that no process or file can hold is refused instead. */
export function literalProblem(kase: AttackCase, evidence: Evidence): string | undefined {
  if (kase.area === 'resource') return outputProblem(kase, evidence);
  if (kase.area === 'log') return injectionProblem(kase, evidence);
  if (evidence.failure) return undefined;
  const call = lastCall(evidence);
  const expected = isReply(kase) ? writtenIn(String(kase.input.raw)) : parsed(kase);
  if (!call) return 'no call was made';
  const arrived = JSON.stringify(call.arguments);
  if (arrived !== JSON.stringify(expected)) return `${arrived} arrived`;
  if (isRefused(evidence)) return undefined;
  return kase.area === 'template' ? templateProblem(expected, evidence) : undefined;
}

function parsed(kase: AttackCase): JsonObject {
  const args = argumentsOf(kase);
  return isJsonObject(args) ? args : (JSON.parse(String(args)) as JsonObject);
}

/** What a reply in XML means to whoever knows XML: character data as it stands, entities read once. */
function writtenIn(raw: string): JsonObject {
  const parameters = [...raw.matchAll(/<parameter name="(\w+)">(.*?)<\/parameter>/gs)];
  return Object.fromEntries(parameters.map(([, name, text]) => [name, characterData(text ?? '')]));
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function characterData(text: string): string {
  const section = /^<!\[CDATA\[(.*)\]\]>$/s.exec(text);
  return section?.[1] ?? text.replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

/** Each value is one whole argument of the process, or one whole line of its output. */
function templateProblem(args: JsonObject, { started }: Evidence): string | undefined {
  const argv = started.at(-1)?.argv ?? [];
  const lost = Object.values(args).find((value) => !argv.includes(String(value)));
  return lost === undefined
    ? undefined
    : `${JSON.stringify(lost)} is not an argument of ${JSON.stringify(argv)}`;
}

/** What the same command prints where nothing stands in its way. */
function outputProblem({ input }: AttackCase, evidence: Evidence): string | undefined {
  const expected = spawnSync('/bin/sh', ['-c', String(input.command)]).stdout.toString('utf8');
  const output = lastCall(evidence)?.result.output;
  return output === expected ? undefined : `${JSON.stringify(output)} came out`;
}

/** A result must not close itself: the protocol's own tags are there once for each result, whatever a tool prints. */
function injectionProblem(_kase: AttackCase, { injected, calls, ...evidence }: Evidence): string | undefined {
  const all = { injected, calls, ...evidence };
  const closings = injected.match(/<\/tool_response>|<\/tool_result>/g)?.length ?? 0;
  if (closings !== calls.length) return `${closings} closing tags for ${calls.length} results`;
  return toldText(all).includes('you are root') ? undefined : 'the output was lost';
}
