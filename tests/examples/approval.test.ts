import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { contextWith, FakeTerminal, requestFor } from '../support/fake-terminal.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { ExampleFolder } from './example-folder.js';
import { blocksOf } from './page.js';

const PAGE = 'docs/approval.md';

describe(PAGE, () => {
  it('shows the question of examples/approval as a person sees it', async () => {
    const terminal = new FakeTerminal();
    const path = 'site/gates.md';
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'site'));
    writeFileSync(join(folder, path), '# Doors\n');
    const request = requestFor({
      tool: 'publish',
      arguments: { path, content: '# Gates\n' },
      action: { kind: 'write-file', path: join(folder, path), bytes: 8, append: false },
      reason: { kind: 'policy', text: '"publish" has approval: prompt' },
    });
    const { signal } = new AbortController();
    const answer = terminal
      .gate()
      .review(request, { ...contextWith(signal), step: 'edit', callId: 'call_004' });
    await terminal.asked();
    expect(blocksOf(PAGE, 'text').map(trimmed)).toContain(
      trimmed(terminal.screen.replace(folder, '/home/me/blog')),
    );
    terminal.type('n');
    expect(await answer).toEqual({ kind: 'denied', reason: 'the person at the terminal said no' });
  });

  it('says what happens to examples/approval with nobody to ask', () => {
    const { status, err } = run(new ExampleFolder());
    expect(status).toBe(3);
    const [denials = ''] = blocksOf(PAGE, 'denials');
    expect(err.split('\n').filter((line) => line.includes('✗'))).toEqual(denials.trimEnd().split('\n'));
  });

  it('says what happens to it with --approve', () => {
    const folder = new ExampleFolder();
    const { status, out } = run(folder, '--approve', 'publish', '--output-format', 'json');
    const approvals = JSON.parse(out).states.edit.tool_calls.map(
      ({ tool, result }: { tool: string; result: { approval: string } }) => `${tool} ${result.approval}`,
    );
    expect(status).toBe(0);
    expect(approvals).toEqual(['save_draft auto', 'publish none', 'clear_archive none', 'publish flag']);
    expect(folder.read('site/gates.md')).toBe('# Gates\n');
  });
});

describe(`${PAGE}: answering from elsewhere`, () => {
  it('suspends examples/approval, takes an answer for it, and goes on', () => {
    const folder = new ExampleFolder();
    const suspended = run(folder, '--approvals', 'later');
    expect(suspended).toMatchObject({
      status: 3,
      err: expect.stringContaining('1 call waits for an answer'),
    });
    const { out } = folder.toolgate('approve', 'latest', '--show', ...latestOf(folder));
    const [{ plan_hash: hash }] = JSON.parse(out).waiting;
    const yes = ['--yes', '--plan', hash.slice(0, 16)];
    expect(folder.toolgate('approve', 'latest', 'call_004', ...yes, ...latestOf(folder)).status).toBe(0);
    expect(folder.toolgate('resume', 'latest', ...latestOf(folder)).status).toBe(0);
    expect(folder.read('site/gates.md')).toBe('# Gates\n');
  }, 60_000);

  it('goes on at once if that is asked for', () => {
    const folder = new ExampleFolder();
    run(folder, '--approvals', 'later');
    const flags = ['--deny', '--reason', 'not yet', '--resume', '--output-format', 'json'];
    const { status, out } = folder.toolgate('approve', 'latest', 'call_004', ...flags, ...latestOf(folder));
    expect(status).toBe(0);
    expect(out).toContain('"output": "Denied: not yet"');
  }, 60_000);
});

function run(folder: ExampleFolder, ...more: readonly string[]) {
  return folder.toolgate(
    ...['run', 'examples/approval/workflow.yaml', '--script', 'examples/approval/script.yaml'],
    ...['--workspace', folder.workspace, ...more],
  );
}

/** Ends of lines that a screen shows as nothing. */
function trimmed(text: string): string {
  return text.replace(/[ \t]+$/gm, '').trim();
}

function latestOf({ workspace }: ExampleFolder): readonly string[] {
  return ['--workspace', workspace];
}
