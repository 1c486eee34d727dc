// Type-checked in a project that has nothing but the packed package.
import { createContainer, type Sandbox, TOKENS, ToolOrchestrator, type WorkflowRunner } from 'toolgate';
import { McpToolSource, serveTools } from 'toolgate/mcp';
import { FakeSandbox, ScriptedAgent } from 'toolgate/testing';
import { createToolCallStream, type ParseResult, parseToolCalls } from 'toolgate/toolparse';

const container = await createContainer({ journal: 'memory' });
const orchestrator = container.get(TOKENS.ToolOrchestrator);
const sandbox = container.get(TOKENS.Sandbox);
// A token says what is behind it: neither `unknown` nor `any`.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const areTyped: [Same<typeof orchestrator, ToolOrchestrator>, Same<typeof sandbox, Sandbox>] = [true, true];
// @ts-expect-error No number confines anything.
container.bind(TOKENS.Sandbox).toConstantValue(5);
const runner: WorkflowRunner = container.get(TOKENS.WorkflowRunner);
const result: ParseResult = parseToolCalls('no calls');
console.log(orchestrator, areTyped, runner, result.calls[0]?.name, createToolCallStream({}).push('x'));
console.log(serveTools, McpToolSource, FakeSandbox, ScriptedAgent);
