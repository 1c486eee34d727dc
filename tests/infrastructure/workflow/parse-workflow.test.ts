import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';

const ASK = { default: 'prompt', rules: [] };
const AUTO = { default: 'auto', rules: [] };
const LIMITS = { maxCalls: 50, timeoutPerCallMs: 30_000, maxParallel: 8 };

describe('parseWorkflow', () => {
  it("loads SPEC's file as it stands", () => {
    const bytes = readFileSync('examples/workflows/autonomous-coding.yaml');
    const pattern = '{{inputs.project_path}}/**';
    const source = '{{inputs.project_path}}/src/**';
    expect(parseWorkflow(bytes, { file: 'a.yaml' })).toStrictEqual({
      name: 'autonomous-coding',
      version: '1.0',
      inputs: ['project_path', 'feature_description'].map((name) => {
        return { name, type: 'string', required: true, secret: false };
      }),
      onUnavailable: 'deny',
      tools: [
        {
          name: 'read_file',
          kind: { type: 'builtin', builtin: 'read_file' },
          allowDash: [],
          approval: AUTO,
          restrictions: { paths: { read: [pattern], write: [], deny: [] } },
        },
        {
          name: 'write_file',
          kind: { type: 'builtin', builtin: 'write_file' },
          allowDash: [],
          approval: ASK,
          restrictions: { paths: { read: [source], write: [source], deny: [] } },
        },
        {
          name: 'run_tests',
          kind: { type: 'command', command: 'cd {{inputs.project_path}} && npm test' },
          description: 'Run the project test suite',
          parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
          allowDash: [],
          approval: AUTO,
          restrictions: {},
        },
        {
          name: 'search_code',
          kind: { type: 'command', command: "rg '{{args.pattern}}' {{inputs.project_path}}" },
          description: 'Search for pattern in codebase',
          parameters: {
            type: 'object',
            properties: { pattern: { type: 'string' } },
            required: ['pattern'],
            additionalProperties: false,
          },
          allowDash: [],
          approval: AUTO,
          restrictions: {},
        },
      ],
      steps: [
        {
          name: 'implement_feature',
          provider: 'claude',
          prompt: expect.stringContaining(
            'Implement this feature: {{inputs.feature_description}}\n\nYou have',
          ),
          tools: ['read_file', 'write_file', 'run_tests', 'search_code'],
          options: { model: 'claude-sonnet-4-20250514' },
          toolOptions: LIMITS,
          onSuccess: { kind: 'end', status: 'success' },
          onFailure: { kind: 'end', status: 'failure' },
        },
      ],
      hash: createHash('sha256').update(bytes).digest('hex'),
      file: 'a.yaml',
    });
  });

  it("loads AWF's dialect into the same shape", () => {
    const workflow = parseWorkflow(readFileSync('examples/workflows/awf-code-review.yaml'));
    expect(workflow.inputs).toStrictEqual([
      {
        name: 'file',
        type: 'string',
        required: true,
        secret: false,
        validation: { fileExists: true, fileExtension: ['.ts', '.js'] },
      },
      {
        name: 'depth',
        type: 'integer',
        required: false,
        default: 2,
        secret: false,
        validation: { min: 1, max: 5 },
      },
    ]);
    expect(workflow.steps).toStrictEqual([
      {
        name: 'analyze',
        provider: 'claude',
        prompt: 'Review {{.inputs.file}}, {{.inputs.depth}} passes.',
        systemPrompt: 'You are a careful reviewer.',
        tools: ['read_file'],
        options: { model: 'claude-sonnet-4-20250514' },
        toolOptions: { ...LIMITS, maxDurationMs: 90_000 },
        onSuccess: { kind: 'step', name: 'summarize' },
        onFailure: { kind: 'end', status: 'failure', message: 'The review failed' },
      },
      {
        name: 'summarize',
        provider: 'claude',
        prompt: 'Sum up: {{.states.analyze.Output}}',
        tools: [],
        options: {},
        toolOptions: { ...LIMITS, maxDurationMs: 120_000 },
        onSuccess: { kind: 'end', status: 'success' },
        onFailure: { kind: 'end', status: 'failure' },
      },
    ]);
  });

  it('begins with the initial state, wherever it stands', () => {
    const state = 'type: agent, provider: p, prompt: x';
    const text = `states: { initial: b, a: { ${state} }, b: { ${state}, on_success: a } }`;
    expect(parseWorkflow(text).steps.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  it('lets the steps of a list follow each other, unless they say where to go', () => {
    const step = 'provider: p, prompt: x';
    const text = `steps: [{ name: a, ${step} }, { name: b, ${step}, on_success: a, on_failure: c }, { name: c, ${step} }]`;
    const targets = parseWorkflow(text).steps.map(({ onSuccess, onFailure }) => [onSuccess, onFailure]);
    const failure = { kind: 'end', status: 'failure' };
    expect(targets).toEqual([
      [{ kind: 'step', name: 'b' }, failure],
      [
        { kind: 'step', name: 'a' },
        { kind: 'step', name: 'c' },
      ],
      [{ kind: 'end', status: 'success' }, failure],
    ]);
  });

  it('takes a file with tools only, and names it after the file', () => {
    expect(parseWorkflow('tools: []', { file: 'some/kit.yaml' })).toMatchObject({
      name: 'kit',
      version: '',
      tools: [],
      steps: [],
      onUnavailable: 'deny',
    });
  });

  it('keeps a version as it is written', () => {
    expect(parseWorkflow('version: 1.0').version).toBe('1.0');
  });

  it('reads JSON, CRLF lines and a byte order mark', () => {
    expect(parseWorkflow('{"name": "json", "tools": []}').name).toBe('json');
    expect(parseWorkflow('name: crlf\r\ntools: []\r\n').name).toBe('crlf');
    expect(parseWorkflow('\ufeffname: bom').name).toBe('bom');
  });

  it('freezes what it returns', () => {
    const workflow = parseWorkflow(readFileSync('examples/workflows/autonomous-coding.yaml'));
    expect(Object.isFrozen(workflow.tools[0]?.restrictions.paths?.read)).toBe(true);
  });
});
