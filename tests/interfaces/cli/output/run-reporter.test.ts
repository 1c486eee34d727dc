import { describe, expect, it } from '@jest/globals';
import type { Workflow } from '../../../../src/domain/workflow.js';
import type { CliIo } from '../../../../src/interfaces/cli/cli-io.js';
import { createRunReporter } from '../../../../src/interfaces/cli/output/run-reporter.js';
import { redactorsOf } from '../../../../src/interfaces/cli/redactors.js';

describe('createRunReporter', () => {
  it('shows no secret in a stream of events, also if it comes in pieces', () => {
    const shown: string[] = [];
    const io = { out: (text: string) => void shown.push(text), env: { OPENAI_API_KEY: 'swordfish' } };
    const workflow = { inputs: [], tools: [], steps: [] } as unknown as Workflow;
    const reporter = createRunReporter('stream-json', io as unknown as CliIo, redactorsOf(workflow, {}, io));
    for (const text of ['the sword', 'fish, the sw']) {
      reporter.event({ type: 'text-delta', step: 's', turn: 1, text });
    }
    reporter.event({ type: 'turn-end', step: 's', turn: 1, text: 'the swordfish, the sw', calls: 0 });
    expect(shown.map((line) => JSON.parse(line))).toEqual([
      { type: 'text-delta', step: 's', turn: 1, text: 'the ' },
      { type: 'text-delta', step: 's', turn: 1, text: '[redacted], the ' },
      { type: 'text-delta', step: 's', turn: 1, text: 'sw' },
      { type: 'turn-end', step: 's', turn: 1, text: 'the [redacted], the sw', calls: 0 },
    ]);
  });
});
