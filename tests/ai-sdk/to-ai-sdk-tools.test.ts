import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LanguageModelV3GenerateResult, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { describe, expect, it } from '@jest/globals';
import { generateText, stepCountIs, streamText } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test';
import { toAiSdkTools } from '../../src/ai-sdk/to-ai-sdk-tools.js';
import { foldRun } from '../../src/application/fold-run.js';
import { createContainer, loadWorkflow } from '../../src/container.js';
import { createTool } from '../../src/domain/tool.js';
import type { RunJournal } from '../../src/ports/run-journal.js';
import { TOKENS } from '../../src/ports/tokens.js';
import { ScriptedApprovalGate } from '../../src/testing/scripted-approval-gate.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

type Call = readonly [id: string, tool: string, args: unknown];

const parts = (calls: readonly Call[]) =>
  calls.map(
    ([toolCallId, toolName, args]) =>
      ({ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(args) }) as const,
  );

function turnOf(...calls: readonly Call[]): LanguageModelV3GenerateResult {
  const unified = calls.length > 0 ? 'tool-calls' : 'stop';
  const content = calls.length > 0 ? parts(calls) : [{ type: 'text', text: 'Done.' } as const];
  return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] };
}

const WORKFLOW = `
name: files
tools:
  - { name: read_file, builtin: true, approval: auto, restrictions: { paths: ["**"] } }
  - { name: write_file, builtin: true, approval: prompt, restrictions: { paths: ["**"] } }
`;

async function fixture(gate = new ScriptedApprovalGate([])) {
  const workspace = temporaryFolder();
  writeFileSync(join(workspace, 'note.txt'), 'remember the milk\n');
  writeFileSync(join(workspace, 'files.yaml'), WORKFLOW);
  const container = await createContainer();
  (await container.rebind(TOKENS.ApprovalGate)).toConstantValue(gate);
  const workflow = await loadWorkflow(join(workspace, 'files.yaml'));
  return { container, workflow, workspace, gate };
}

describe('toAiSdkTools', () => {
  it('gives gated tools to generateText, and records what it does with them', async () => {
    const { container, workflow, workspace } = await fixture(new ScriptedApprovalGate(['deny']));
    const gated = await toAiSdkTools(container, { workflow, workspace });
    const model = new MockLanguageModelV3({
      doGenerate: [
        turnOf(
          ['a', 'read_file', { path: 'note.txt' }],
          ['b', 'write_file', { path: 'x', content: 'y' }],
          ['c', 'read_file', { path: '/etc/passwd' }],
          ['d', 'read_file', { file: 'note.txt' }],
        ),
        turnOf(),
      ],
    });
    const { text } = await generateText({
      model,
      prompt: 'Go',
      tools: gated.tools,
      stopWhen: stepCountIs(5),
    });
    expect(text).toBe('Done.');
    const told = model.doGenerateCalls[1]?.prompt.at(-1)?.content as readonly { readonly output: unknown }[];
    expect(told.map(({ output }) => output)).toEqual([
      { type: 'text', value: expect.stringContaining('remember the milk') },
      { type: 'error-text', value: expect.stringContaining('the scripted gate said no') },
      { type: 'error-text', value: expect.stringContaining('/etc/passwd') },
      { type: 'error-text', value: expect.stringContaining('do not fit') },
    ]);
    const state = await gated.close();
    expect(state.toolCalls.map(({ id, result }) => [id, result.error?.code ?? 'ok'])).toEqual(
      expect.arrayContaining([
        ['a', 'ok'],
        ['b', 'EXECUTION.APPROVAL.DENIED'],
        ['c', 'EXECUTION.SANDBOX.DENIED'],
        ['d', 'EXECUTION.CALL.INVALID_ARGUMENTS'],
      ]),
    );
    const records = await container.get<RunJournal>(TOKENS.RunJournal).read(gated.runId);
    expect(foldRun(records).ended).toBe('success');
  });

  it('gives them to streamText as well', async () => {
    const { container, workflow, workspace } = await fixture();
    await using gated = await toAiSdkTools(container, { workflow, workspace, only: ['read_file'] });
    const finish = { type: 'finish', usage } as const;
    const turns: LanguageModelV3StreamPart[][] = [
      [
        ...parts([['a', 'read_file', { path: 'note.txt' }]]),
        { ...finish, finishReason: { unified: 'tool-calls', raw: undefined } },
      ],
      [
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'Milk.' },
        { type: 'text-end', id: 't' },
        { ...finish, finishReason: { unified: 'stop', raw: undefined } },
      ],
    ];
    const model = new MockLanguageModelV3({
      doStream: turns.map((turn) => ({ stream: convertArrayToReadableStream(turn) })),
    });
    const result = streamText({ model, prompt: 'Go', tools: gated.tools, stopWhen: stepCountIs(5) });
    expect(await result.text).toBe('Milk.');
    expect(Object.keys(gated.tools)).toEqual(['read_file']);
  });

  it('holds calls to the limits', async () => {
    const { container, workflow, workspace } = await fixture();
    const gated = await toAiSdkTools(container, { workflow, workspace, limits: { maxCalls: 1 } });
    const read = ['read_file', { path: 'note.txt' }] as const;
    const model = new MockLanguageModelV3({
      doGenerate: [turnOf(['a', ...read]), turnOf(['b', ...read]), turnOf()],
    });
    await generateText({ model, prompt: 'Go', tools: gated.tools, stopWhen: stepCountIs(5) });
    const state = await gated.close();
    expect(state.stoppedBy).toBe('max_calls');
    expect(state.toolCalls[1]?.result.error?.code).toBe('EXECUTION.CALL.MAX_CALLS');
  });

  it('ends a call when the loop that made it is stopped', async () => {
    const container = await createContainer({ approve: 'all' });
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const wait = {
      tool: createTool({ name: 'wait', description: 'Waits for ever' }),
      run: (_args: object, { signal }: { readonly signal: AbortSignal }) => {
        seen = signal;
        controller.abort();
        return new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
        });
      },
    };
    container.bind(TOKENS.ToolHandler).toConstantValue(wait);
    const gated = await toAiSdkTools(container);
    const model = new MockLanguageModelV3({ doGenerate: [turnOf(['a', 'wait', {}]), turnOf()] });
    const asked = generateText({ model, prompt: 'Go', tools: gated.tools, abortSignal: controller.signal });
    await asked.catch(() => undefined);
    const state = await gated.close();
    expect(seen?.aborted).toBe(true);
    expect(state.toolCalls[0]?.result).toMatchObject({ success: false });
  });

  it('says which tools there are when one is asked for that is not', async () => {
    const { container, workflow, workspace } = await fixture();
    await expect(toAiSdkTools(container, { workflow, workspace, only: ['rm'] })).rejects.toThrow(
      'There is no tool "rm" (there are: read_file, write_file)',
    );
  });
});
