import { describe, expect, it } from '@jest/globals';
import { parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';
import { listProblems } from './problems-of.js';

const step = (more: string) => `steps:\n  - { name: one, provider: scripted, prompt: hi, ${more} }\n`;

describe('tool_protocol and tool_format', () => {
  it('are kept with their step', () => {
    const [built] = parseWorkflow(step('tool_protocol: text, tool_format: mistral')).steps;
    expect(built).toMatchObject({ toolProtocol: 'text', toolFormat: 'mistral' });
    const [plain] = parseWorkflow(step('tools: []')).steps;
    expect(Object.keys(plain ?? {})).not.toContain('toolProtocol');
  });

  it('are checked when the file is read', () => {
    expect(listProblems(step('tool_format: hermess'))).toEqual([
      '2:63 WORKFLOW.VALIDATION.SCHEMA steps[0].tool_format: there is no text format `hermess` → did you mean `hermes`?',
    ]);
    // A provider's JSON is no text that a model could be taught to write.
    expect(listProblems(step('tool_format: anthropic'))).toHaveLength(1);
    expect(listProblems(step('tool_protocol: smoke'))).toEqual([
      expect.stringContaining('steps[0].tool_protocol'),
    ]);
  });

  it('may name a format of the file itself', () => {
    const formats = 'formats:\n  radio: { open: "OVER TO {name}", close: OUT, body: { kind: json } }\n';
    expect(listProblems(`${formats}${step('tool_format: radio')}`)).toEqual([]);
  });
});
