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

  it("says on stderr what an agent's step warned of, where the output is one object", () => {
    const [shown, warned]: [string[], string[]] = [[], []];
    const io = {
      out: (text: string) => void shown.push(text),
      err: (text: string) => void warned.push(text),
      env: {},
      isWatched: false,
    };
    const workflow = { inputs: [], tools: [], steps: [] } as unknown as Workflow;
    const reporter = createRunReporter('json', io as unknown as CliIo, redactorsOf(workflow, {}, io));
    for (const notice of [
      { kind: 'session', id: 's-1' },
      { kind: 'warning', message: 'another \u001b answers instead' },
      { kind: 'bypassed', tool: 'Bash', arguments: { command: 'ls' } },
    ] as const)
      reporter.event({ type: 'agent-notice', step: 's', turn: 1, notice });
    expect(shown).toEqual([]);
    expect(warned).toEqual([
      'warning: another \\u{1b} answers instead\n',
      expect.stringMatching(/^warning: past the gate, the agent used a tool of its own: Bash .*ls.*\n$/),
    ]);
  });
});
