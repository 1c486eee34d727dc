import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ExampleFolder } from './example-folder.js';
import { blocksOf } from './page.js';

const EXAMPLE = 'examples/conversation';
const WORKFLOW = `${EXAMPLE}/workflow.yaml`;

function folderWith(draft = 'a small draft\n'): ExampleFolder {
  return new ExampleFolder({ 'draft.md': draft });
}

function runIn(folder: ExampleFolder, ...args: readonly string[]) {
  const { status, out, err } = folder.toolgate(
    ...['run', WORKFLOW, '--workspace', folder.workspace, '--output-format', 'json', ...args],
  );
  return { status, err, states: out === '' ? {} : JSON.parse(out).states };
}

describe('docs/conversations.md', () => {
  it('shows examples/conversation/workflow.yaml as it is, and it runs', () => {
    expect(blocksOf('docs/conversations.md', 'yaml')).toContain(readFileSync(WORKFLOW, 'utf8'));
    const { status, states } = runIn(folderWith(), '--script', `${EXAMPLE}/script.yaml`);
    expect(status).toBe(0);
    expect(states).toMatchObject({
      polish: {
        turns: 3,
        conversation: { turns: 2, total_tokens: 320, stopped_by: 'condition', summaries: 0 },
      },
      announce: { turns: 1, conversation: { turns: 1, stopped_by: 'completed' } },
    });
  });

  it('lets a person talk with examples/conversation/talk.yaml, until an empty line or the end of the input', () => {
    for (const [input, turns] of [
      ['It is grey\n\nmore\n', 2],
      ['It is grey', 2],
      ['', 1],
    ] as const) {
      const folder = folderWith();
      const { status, out } = folder.toolgateWith(
        input,
        ...['run', `${EXAMPLE}/talk.yaml`, '--script', `${EXAMPLE}/talk.script.yaml`],
        ...['--workspace', folder.workspace, '--output-format', 'json'],
      );
      expect(status).toBe(0);
      expect(JSON.parse(out).states.talk.conversation).toMatchObject({ turns, stopped_by: 'user_exit' });
    }
  });
});

describe('docs/testing-workflows.md', () => {
  it('plays examples/conversation/recording.jsonl back without a script', () => {
    const { status, states } = runIn(folderWith(), '--replay', `${EXAMPLE}/recording.jsonl`);
    expect(status).toBe(0);
    expect(states.announce.output).toBe('The draft begins with a shorter line.');
    expect(states.polish.tool_calls[0].result.output).toBe('3 draft.md\n');
  });

  it('records what it plays', () => {
    const folder = folderWith();
    const file = join(folder.workspace, '..', 'again.jsonl');
    expect(runIn(folder, '--script', `${EXAMPLE}/script.yaml`, '--record', file).status).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(`${EXAMPLE}/recording.jsonl`, 'utf8'));
  });

  it('shows how a request differs, as on the page', () => {
    const { status, states } = runIn(
      folderWith('a draft of five words\n'),
      '--replay',
      `${EXAMPLE}/recording.jsonl`,
    );
    expect(status).toBe(3);
    const { code, message } = states.polish.error;
    expect(code).toBe('EXECUTION.PROVIDER.UNEXPECTED_TURN');
    const [shown = ''] = blocksOf('docs/testing-workflows.md', 'text');
    for (const line of shown.split('\n').slice(1)) expect(message).toContain(line);
  });

  it.each([
    [['--replay', 'x.jsonl', '--record', 'y.jsonl'], '--replay and --record do not go together'],
    [['--replay', 'missing.jsonl'], 'missing.jsonl cannot be read'],
    [['--replay', WORKFLOW], 'is not a recording'],
  ])('refuses %j', (args, problem) => {
    const { status, err } = runIn(folderWith(), ...args);
    expect({ status, err }).toEqual({ status: 1, err: expect.stringContaining(problem) });
  });
});
