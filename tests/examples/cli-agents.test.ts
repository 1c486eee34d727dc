import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.js';
import { ExampleFolder } from './example-folder.js';

const EXAMPLE = resolve('examples/cli-agents/workflow.yaml');
const REVIEW = { path: 'reviews/notes.md', content: 'Say who it is for.\n' };

/** A stand-in for Claude Code that is found as the real one is: it speaks its protocol, and real MCP to our server. */
function standIn(actions: readonly unknown[]): Readonly<Record<string, string>> {
  const bin = join(temporaryFolder(), 'bin');
  const program = resolve('tests/support/fake-cli.mjs');
  chmodSync(program, 0o755);
  mkdirSync(bin);
  symlinkSync(program, join(bin, 'claude'));
  const path = [bin, dirname(process.execPath), process.env.PATH].join(delimiter);
  return { PATH: path, FAKE_CLI: JSON.stringify(actions) };
}

describe('docs/cli-agents.md', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  function run(actions: readonly unknown[], ...options: readonly string[]) {
    const folder = new ExampleFolder({ 'notes.md': 'The gate is shut.\n', 'reviews/.keep': '' });
    Object.assign(process.env, standIn(actions));
    const args = ['run', EXAMPLE, '--workspace', folder.workspace, '--output-format', 'json', ...options];
    const { status, out } = folder.toolgate(...args);
    return { status, folder, state: JSON.parse(out).states.review };
  }

  it('has an example that runs: what the command line calls goes through the gate', () => {
    const { status, folder, state } = run(
      [
        ['call', ['read_file', { path: 'notes.md' }]],
        ['call', ['write_file', REVIEW]],
        ['done', 'Reviewed.'],
      ],
      '--approve',
      'write_file',
    );
    expect(status).toBe(0);
    expect(folder.read(REVIEW.path)).toBe(REVIEW.content);
    expect(state).toMatchObject({
      output: 'Reviewed.',
      stopped_by: 'completed',
      tool_calls: [
        { tool: 'read_file', result: { success: true, approval: 'auto' } },
        { tool: 'write_file', result: { success: true, approval: 'flag' } },
      ],
    });
  });

  it('ends it when it uses a tool of its own, as the example says', () => {
    process.env.FAKE_CLI_TOOLS = '0';
    const { status, state } = run([['bypass', { command: 'ls' }], ['hang']]);
    expect(status).toBe(3);
    expect(state.error.code).toBe('EXECUTION.PROVIDER.BYPASSED');
  });

  it('refuses to leave its questions for later, before anything has begun', () => {
    const folder = new ExampleFolder({ 'notes.md': 'x\n', 'reviews/.keep': '' });
    Object.assign(process.env, standIn([['done', 'never asked']]));
    const args = ['--workspace', folder.workspace, '--approvals', 'later'];
    const { status, out, err } = folder.toolgate('run', EXAMPLE, ...args);
    expect([status, out]).toEqual([1, '']);
    expect(err).toContain('--approvals later: the agent of step "review" (claude) waits for each answer');
  });
});
