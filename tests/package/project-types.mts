// Type-checked in a project that has nothing but the packed package.
import { createContainer, TOKENS, ToolOrchestrator, type WorkflowRunner } from 'toolgate';
import { McpToolSource, serveTools } from 'toolgate/mcp';
import { FakeSandbox, ScriptedAgent } from 'toolgate/testing';
import { createToolCallStream, type ParseResult, parseToolCalls } from 'toolgate/toolparse';

const container = await createContainer({ journal: 'memory' });
const orchestrator: ToolOrchestrator = container.get(TOKENS.ToolOrchestrator);
const runner: WorkflowRunner = container.get(TOKENS.WorkflowRunner);
const result: ParseResult = parseToolCalls('no calls');
console.log(orchestrator, runner, result.calls[0]?.name, createToolCallStream({}).push('x'));
console.log(serveTools, McpToolSource, FakeSandbox, ScriptedAgent);
