import { enforcementToJson } from '../../../application/state-json.js';
import type { ApprovalRule } from '../../../domain/approval.js';
import type { Json, JsonObject } from '../../../domain/json.js';
import { describeRule } from '../../../domain/rules/rule-text.js';
import type { InputDeclaration } from '../../../domain/workflow.js';
import type { CheckReport, StepReport, ToolReport } from './check-report.js';
import { reachOf } from './tool-reach.js';

export function checkToJson(report: CheckReport): JsonObject {
  return {
    file: report.file,
    name: report.name,
    version: report.version,
    workspace: report.workspace,
    resolved: report.resolved,
    inputs: report.inputs.map(inputToJson),
    sandbox: {
      on_unavailable: report.onUnavailable,
      kernel: report.kernel,
      backend: report.backend,
      reasons: [...report.reasons],
      ...(report.warning === undefined ? {} : { warning: report.warning }),
    },
    tools: report.tools.map(toolToJson),
    mcp_servers: report.servers.map(toolToJson),
    steps: report.steps.map(stepToJson),
  };
}

function inputToJson({ name, type, required, secret, default: value, description }: InputDeclaration): Json {
  return {
    name,
    type,
    required,
    secret,
    ...(value === undefined || secret ? {} : { default: value }),
    ...(description === undefined ? {} : { description }),
  };
}

function toolToJson(tool: ToolReport): Json {
  const { permissions, enforcement, approval } = tool;
  const { commands, limits } = permissions;
  return {
    name: tool.name,
    source: tool.source,
    description: tool.description,
    approval: { default: approval.default, rules: approval.rules.map(ruleToJson) },
    read: [...permissions.read],
    write: [...permissions.write],
    deny: [...permissions.deny],
    protect: [...permissions.protect],
    commands: typeof commands === 'string' ? commands : [...commands],
    strict: permissions.strict,
    hosts: [...permissions.hosts],
    private_hosts: [...permissions.privateHosts],
    env: [...permissions.env],
    limits: {
      memory_bytes: limits.memoryBytes,
      pids: limits.pids,
      max_output_bytes: limits.maxOutputBytes,
      ...(tool.timeoutMs === undefined ? {} : { timeout_ms: tool.timeoutMs }),
    },
    reach: reachOf(tool),
    denied_here: tool.deniedHere ?? false,
    enforcement: enforcementToJson(enforcement),
    notes: [...tool.notes],
  };
}

function ruleToJson({ mode, when, reason }: ApprovalRule): Json {
  const { command, paths, hosts, methods, arguments: schema } = when;
  return {
    mode,
    says: describeRule(when),
    ...(command ? { command: [...command] } : {}),
    ...(paths ? { paths: [...paths] } : {}),
    ...(hosts ? { hosts: [...hosts] } : {}),
    ...(methods ? { methods: [...methods] } : {}),
    ...(schema ? { when: schema } : {}),
    ...(reason === undefined ? {} : { reason }),
  };
}

function stepToJson({ step, unready, warnings }: StepReport): Json {
  const { name, provider, tools, toolOptions } = step;
  const { maxCalls, timeoutPerCallMs, maxParallel, maxTokens, maxCostUsd, maxDurationMs } = toolOptions;
  return {
    name,
    provider,
    tools: [...tools],
    limits: {
      max_calls: maxCalls,
      timeout_per_call_ms: timeoutPerCallMs,
      max_parallel: maxParallel,
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      ...(maxCostUsd === undefined ? {} : { max_cost_usd: maxCostUsd }),
      ...(maxDurationMs === undefined ? {} : { max_duration_ms: maxDurationMs }),
    },
    ...(unready === undefined ? {} : { cannot_run_here: unready }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
}
