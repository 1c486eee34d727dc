import type { Json, JsonObject } from '../../../../src/domain/json.js';
import type { AttackCase } from './attack-case.js';
import { installed } from './programs.js';
import type { World } from './world.js';

/** Which layer holds processes while a case runs. */
export type HeldBy = 'process' | 'kernel';

const BUILTINS = ['shell', 'read_file', 'write_file', 'http_request'];
/** These speak of the parser and of the table of tools; both stand before a real tool. */
const STAND_INS = ['registry', 'parser'];

/** What `policy` may say; what is not here is said by a case that this harness cannot run. */
const KEYS = new Set([
  ...['tool', 'tools', 'paths', 'protect', 'commands', 'hosts', 'private', 'env', 'limits', 'inputs'],
  ...['command', 'parameters', 'schema', 'approval', 'sandbox', 'onUnavailable', 'tool_options', 'load'],
  ...['answer', 'tty', 'typeahead', 'remembered', 'changed_since', 'cwd_from_model', 'audit'],
]);

/** A case's policy, written as the workflow file that a person would write. */
export function workflowOf(kase: AttackCase, world: World, heldBy: HeldBy): JsonObject {
  const { policy } = kase;
  const unknown = Object.keys(policy).find((key) => !KEYS.has(key));
  if (unknown !== undefined) throw new Error(`unknown policy "${unknown}"`);
  const tools = (policy.tools as JsonObject[] | undefined) ?? [toolOf(kase, world)];
  return {
    name: 'attack',
    sandbox: { on_unavailable: onUnavailable(kase, heldBy) },
    inputs: Object.keys(inputsOf(kase, world)).map((name) => ({ name })),
    tools,
    steps: [
      {
        name: 'attack',
        type: 'agent',
        provider: 'scripted',
        prompt: 'go',
        tools: tools.map(({ name }) => name as string),
        tool_options: toolOptionsOf(policy),
      },
    ],
  };
}

/** A question that nobody answers is bounded by the step's own time. */
function toolOptionsOf({ tool_options, answer }: JsonObject): JsonObject {
  const bound = answer === '<hang>' ? { max_duration: '300ms' } : {};
  return { max_calls: 5000, ...bound, ...(tool_options as JsonObject | undefined) };
}

/** The values of its inputs; a template that names the project gets the workspace. */
export function inputsOf({ policy }: AttackCase, world: World): Readonly<Record<string, string>> {
  if (policy.inputs) return policy.inputs as Record<string, string>;
  const isNamed = JSON.stringify(policy).includes('{{inputs.project_path}}');
  return isNamed ? { project_path: world.root } : {};
}

/** How long one call may take here. */
export function timeoutOf({ policy, assert, area }: AttackCase): number {
  const { timeout_ms } = (policy.limits ?? {}) as JsonObject;
  if (typeof timeout_ms === 'number') return timeout_ms;
  if (typeof assert.max_ms === 'string') return 1000;
  // What is logged matters, not what comes of it: some of it looks for hosts that are nowhere.
  return area === 'log' ? 2000 : 10_000;
}

/** The name of the tool that the agent calls. */
export function toolNameOf({ policy }: AttackCase): string {
  const [first] = (policy.tools as JsonObject[] | undefined) ?? [];
  if (first) return String(first.name);
  const tool = String(policy.tool ?? 'shell');
  return STAND_INS.includes(tool) ? 'shell' : tool;
}

function onUnavailable({ policy }: AttackCase, heldBy: HeldBy): Json {
  if (policy.sandbox !== undefined && policy.sandbox !== 'kernel') {
    throw new Error(`unknown sandbox "${String(policy.sandbox)}"`);
  }
  return policy.onUnavailable ?? (heldBy === 'kernel' || policy.sandbox === 'kernel' ? 'deny' : 'warn');
}

function toolOf(kase: AttackCase, world: World): JsonObject {
  const { policy } = kase;
  const name = toolNameOf(kase);
  const isCustom = name === 'custom';
  if (!isCustom && !BUILTINS.includes(name)) throw new Error(`unknown tool "${name}"`);
  const code = isCustom
    ? { command: policy.command ?? null, parameters: policy.parameters ?? [] }
    : { builtin: true };
  return {
    name,
    ...code,
    ...approvalOf(kase),
    timeout: `${timeoutOf(kase)}ms`,
    restrictions: restrictionsOf(kase, name, world),
  };
}

/** Without a word about it a person is asked; but nobody is asked thousands of times. */
function approvalOf({ policy, assert, area, must }: AttackCase): JsonObject {
  if (policy.approval !== undefined) return { approval: policy.approval };
  // Such a case is about the record of a denied call, so that there has to be one.
  if (area === 'log' && must === 'contain') return { approval: 'deny' };
  return assert.repeat === undefined ? {} : { approval: 'auto' };
}

function restrictionsOf({ policy, input }: AttackCase, name: string, world: World): JsonObject {
  const { paths, commands, hosts, protect, env, private: privateHosts } = policy;
  if (protect !== undefined && protect !== 'default') throw new Error(`unknown protect "${String(protect)}"`);
  if (env !== undefined && env !== 'default') throw new Error(`unknown env "${String(env)}"`);
  return {
    ...(paths === undefined ? {} : { paths }),
    ...(name === 'shell' ? { commands: commandsOf(commands, world) } : {}),
    ...(hosts === undefined ? {} : { hosts }),
    ...(privateHosts === undefined ? {} : { private_hosts: privateHosts }),
    // A variable that the case gives is one that the tool was given on purpose.
    ...(input.env === undefined ? {} : { env: Object.keys(input.env as JsonObject) }),
    ...limitsOf((policy.limits ?? {}) as JsonObject),
  };
}

/** Where a case says nothing of commands, they are not what stands in the attack's way. */
function commandsOf(commands: Json | undefined, world: World): Json {
  if (!Array.isArray(commands)) return commands ?? 'any';
  return commands.map((name) => installed(String(name), world));
}

function limitsOf({ timeout_ms: _, memory_mb, output_bytes, processes, ...rest }: JsonObject): JsonObject {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new Error(`unknown limit "${unknown}"`);
  return {
    ...(memory_mb === undefined ? {} : { memory: `${String(memory_mb)}MiB` }),
    ...(output_bytes === undefined ? {} : { max_output: output_bytes }),
    ...(processes === undefined ? {} : { pids: processes }),
  };
}
