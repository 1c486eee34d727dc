import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApprovalDecision } from '../../../src/domain/approval.js';
import { childProgram } from '../../support/child-program.js';
import { requestFor } from '../../support/fake-terminal.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type PaneOptions, TmuxPane } from '../../support/tmux-pane.js';

const PROMPT = 'any other key means no >';

/** Asks about the request in one file, and writes the answer and the terminal's mode to another. */
const PROGRAM = `
  import { spawnSync } from 'node:child_process';
  import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
  import { TerminalApprovalGate } from '#src/infrastructure/approval/terminal-approval-gate.ts';
  async function main() {
    const folder = process.argv[2] ?? '';
    const { request, isHeld } = JSON.parse(readFileSync(folder + '/request', 'utf8'));
    console.error('started');
    while (isHeld && !existsSync(folder + '/go')) await new Promise((resolve) => setTimeout(resolve, 5));
    const stop = new AbortController();
    process.on('SIGHUP', () => stop.abort());
    const context = { runId: 'r', effectId: 'e', agent: 'agent', step: 'fix', callId: 'call_001', signal: stop.signal };
    const decision = await new TerminalApprovalGate().review(request, context);
    const { stdout } = spawnSync('stty', ['-a'], { stdio: ['inherit', 'pipe', 'ignore'], encoding: 'utf8' });
    writeFileSync(folder + '/answer.new', JSON.stringify({ decision, mode: stdout }));
    renameSync(folder + '/answer.new', folder + '/answer');
    console.error('answered');
  }
  void main();
`;

let program = '';
const panes: TmuxPane[] = [];

// A temporary folder lasts for one test only.
const programs = mkdtempSync(join(tmpdir(), 'toolgate-test-'));

beforeAll(() => {
  program = childProgram(programs, PROGRAM);
});

afterAll(() => rmSync(programs, { recursive: true }));

afterEach(() => {
  for (const pane of panes.splice(0)) pane[Symbol.dispose]();
});

interface Asked {
  readonly pane: TmuxPane;
  readonly go: () => void;
  readonly answer: () => Promise<ApprovalDecision>;
}

function ask(
  more: Parameters<typeof requestFor>[0] = {},
  options: PaneOptions & { readonly isHeld?: boolean } = {},
): Asked {
  const folder = temporaryFolder();
  const { isHeld = false, ...paneOptions } = options;
  writeFileSync(join(folder, 'request'), JSON.stringify({ request: requestFor(more), isHeld }));
  const pane = new TmuxPane([process.execPath, program, folder], paneOptions);
  panes.push(pane);
  return { pane, go: () => writeFileSync(join(folder, 'go'), ''), answer: () => answerIn(folder) };
}

/** The decision, given by a program that left the terminal as it was. */
async function answerIn(folder: string): Promise<ApprovalDecision> {
  const file = join(folder, 'answer');
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
  const { decision, mode } = JSON.parse(readFileSync(file, 'utf8'));
  if (mode) expect(mode).toMatch(/[\s;]icanon\b.*[\s;]echo\b/s);
  return decision;
}

/** A program of the person's own, as `$EDITOR` and `$PAGER` name one. */
function script(text: string): string {
  const path = join(temporaryFolder(), 'script.sh');
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

const YES = { kind: 'approved', planHash: 'hash-1', scope: 'once', source: 'user' };
const NO = { kind: 'denied', reason: 'the person at the terminal said no' };
const ARGUMENTS = { arguments: { command: 'ls' } };
/** What no editor should get to see as it is. */
const ODD = { arguments: { command: 'ls \x1b[2K\u202e\n' } };

describe('the prompt in a real terminal: keys', () => {
  it.each([
    ['y', YES],
    ['n', NO],
    ['Enter', NO],
    ['Escape', NO],
    ['Up', NO],
    ['C-d', NO],
    ['a', { kind: 'abort', reason: 'the person at the terminal stopped the run' }],
    ['C-c', { kind: 'abort', reason: 'interrupted at the terminal', interrupted: true }],
    ['s', { ...YES, scope: 'run' }],
    ['w', { ...YES, scope: 'always' }],
  ])('takes %s', async (key, expected) => {
    const { pane, answer } = ask();
    await pane.shows(PROMPT);
    pane.type(key);
    expect(await answer()).toEqual(expected);
  });

  it('shows a rule before it can be chosen', async () => {
    const { pane, answer } = ask({ action: { kind: 'http', method: 'GET', url: 'https://a.example/x' } });
    await pane.shows(PROMPT);
    pane.type('w');
    expect(await pane.shows('3 f')).toMatch(/The rule:\s+│ .*GET.*a\.example/);
    pane.type('f');
    const rule = { hosts: ['a.example'], methods: ['GET'] };
    expect(await answer()).toEqual({ ...YES, scope: 'always', rule });
  });

  it('throws away what was typed before the question was there', async () => {
    const { pane, go, answer } = ask({}, { isHeld: true });
    await pane.shows('started');
    pane.type('y', 'Enter', 'y');
    await pane.shows(/y\ny/);
    go();
    await pane.shows(PROMPT);
    pane.type('n');
    expect(await answer()).toEqual(NO);
  });

  it.each(['yes please', 'y\ny\n', 'yn'])('takes pasted text for no: %j', async (text) => {
    const { pane, answer } = ask();
    await pane.shows(PROMPT);
    pane.paste(text);
    expect(await answer()).toEqual(NO);
  });

  it('takes a reason, with the keys that mend a line', async () => {
    const { pane, answer } = ask();
    await pane.shows(PROMPT);
    pane.type('r');
    await pane.shows('why not');
    pane.type('-l', 'ot today');
    pane.type('Home', 'n', 'End', '!', 'BSpace');
    await pane.shows('  > not today');
    pane.type('Enter');
    expect(await answer()).toEqual({ kind: 'denied', reason: 'not today' });
  });

  it('is answered with no when the window is closed', async () => {
    const { pane, answer } = ask();
    await pane.shows(PROMPT);
    pane.close();
    expect(await answer()).toMatchObject({ kind: 'denied' });
  });

  it('stops with Ctrl-Z like any job, and asks again when it goes on', async () => {
    const { pane, answer } = ask();
    await pane.shows(PROMPT);
    pane.type('C-z');
    await pane.shows('Stopped');
    pane.type('-l', 'clear; fg\n');
    await pane.shows(PROMPT);
    pane.type('y');
    expect(await answer()).toEqual(YES);
  });
});

describe('the prompt in a real terminal: what is seen', () => {
  it('shows no escape sequence of an argument to the terminal', async () => {
    const command = 'rm -rf /\x1b[2K\x1b[1A\x1b[31m echo safe\x1b]0;title\x07\r\x9b2K\u202e';
    const { pane, answer } = ask({ arguments: { command } });
    await pane.shows(PROMPT);
    expect(pane.history()).toContain('rm -rf /\\u{1b}[2K\\u{1b}[1A\\u{1b}[31m echo safe');
    // tmux writes what the screen has of colour as escape sequences: there is none.
    expect(pane.history()).not.toContain('\x1b');
    pane.type('n');
    await answer();
  });

  it('colours the lines of a diff, and nothing else', async () => {
    const path = join(temporaryFolder(), 'a.txt');
    writeFileSync(path, 'old\n');
    const action = { kind: 'write-file', path, bytes: 4, append: false } as const;
    const env = { NO_COLOR: '', TERM: 'xterm-256color' };
    const { pane, answer } = ask({ action, arguments: { path, content: 'new\n' } }, { env });
    await pane.shows(PROMPT);
    const coloured = pane
      .history()
      .split('\n')
      .filter((line) => /\x1b\[3[12]m/.test(line));
    expect(coloured).toEqual([
      expect.stringContaining('\x1b[31m- old'),
      expect.stringContaining('\x1b[32m+ new'),
    ]);
    pane.type('n');
    await answer();
  });

  it.each([
    [40, 10],
    [20, 10],
  ])('asks in a window of %i columns and %i rows, and survives its resizing', async (columns, rows) => {
    const command = `${'x '.repeat(60)}| 宽字符宽字符宽字符 tail`;
    const { pane, answer } = ask({ arguments: { command } }, { columns, rows });
    await pane.shows(/mean\s*s no\s*>/);
    pane.resize(100, 50);
    pane.resize(columns, rows);
    for (const line of pane
      .history()
      .split('\n')
      .filter((each) => /x x|tail/.test(each))) {
      expect(line).toMatch(/^ {4}│/);
    }
    pane.type('y');
    expect(await answer()).toEqual(YES);
  });
});

describe('the prompt in a real terminal: pager and editor', () => {
  const long = { arguments: { text: Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n') } };

  it('opens all of it in less, throws away what was typed there, and asks again', async () => {
    const { pane, answer } = ask(long);
    await pane.shows(PROMPT);
    pane.type('v');
    await pane.shows(/lines 1-\d+/);
    pane.type('-l', '/line 150\n');
    expect(await pane.shows('│ line 151')).not.toContain('means no');
    pane.type('-l', 'qy');
    const screen = await pane.shows(/May the agent use "shell"\?\s+1 y/);
    expect(screen).not.toContain('means no > yes');
    pane.type('n');
    expect(await answer()).toEqual(NO);
  });

  it('takes the pager that the person likes, and prints all of it where there is none', async () => {
    const { pane, answer } = ask(long, {
      env: { PAGER: script('wc -l | sed s/^/counted:/; read key </dev/tty') },
    });
    await pane.shows(PROMPT);
    pane.type('v');
    await pane.shows(/counted:30\d/);
    pane.type('Enter');
    await pane.shows(/use "shell"\?\s+1 y/);
    pane.type('y');
    expect(await answer()).toEqual(YES);
    const other = ask(long, { env: { PAGER: '/no/such/pager' } });
    await other.pane.shows(PROMPT);
    other.pane.type('v');
    await other.pane.shows(/use "shell"\?\s+1 y/);
    expect(other.pane.history()).toContain('│ line 150');
    other.pane.type('n');
    await other.answer();
  });

  it('has the arguments changed in the editor of the person, who alone can read the file', async () => {
    const seen = join(temporaryFolder(), 'seen');
    const editor = script(`stat -c '%a %n' "$1" "$(dirname "$1")" > ${seen}; sed -i 's/ls/ls -l/' "$1"`);
    const { pane, answer } = ask(ODD, { env: { EDITOR: `env X=1 ${editor}` } });
    await pane.shows(PROMPT);
    pane.type('e');
    expect(await answer()).toEqual({ ...YES, arguments: { command: 'ls -l \x1b[2K\u202e\n' } });
    const [file = '', folder = ''] = readFileSync(seen, 'utf8').split('\n');
    expect([file.slice(0, 3), folder.slice(0, 3)]).toEqual(['600', '700']);
    expect(readdirSync(tmpdir())).not.toContain(folder.slice(folder.lastIndexOf('/') + 1));
  });

  it('says where the text is no JSON, and lets the person try again or give up', async () => {
    const tries = join(temporaryFolder(), 'tries');
    const editor = script(
      `echo >> ${tries}; if [ $(wc -l < ${tries}) = 1 ]; then echo '{"command":\n "ls",}' > "$1"; else echo '{"command": "id"}' > "$1"; fi`,
    );
    const { pane, answer } = ask(ARGUMENTS, { env: { VISUAL: editor } });
    await pane.shows(PROMPT);
    pane.type('e');
    expect(await pane.shows('7 e  change them once more')).toMatch(/that is no JSON: .*line 2 column 7/s);
    pane.type('e');
    expect(await answer()).toEqual({ ...YES, arguments: { command: 'id' } });
    const other = ask(ARGUMENTS, { env: { VISUAL: script(`echo '[1]' > "$1"`) } });
    await other.pane.shows(PROMPT);
    other.pane.type('e');
    // With the list below it: what is typed before that is no answer to it.
    await other.pane.shows(/must be an object[\s\S]*7 e {2}change them once more[\s\S]*no >/);
    other.pane.type('y');
    expect(await other.answer()).toEqual(NO);
  });

  it('asks again when nothing was changed, or the editor says it was not meant', async () => {
    for (const text of ['true', 'echo {} > "$1"; exit 1']) {
      const { pane, answer } = ask(ARGUMENTS, { env: { EDITOR: script(text) } });
      await pane.shows(PROMPT);
      pane.type('e');
      await pane.shows(/nothing was changed\s+May the agent use "shell"\?\s+1 y/);
      pane.type('y');
      expect(await answer()).toEqual(YES);
    }
  });

  it('throws away what was typed while an editor was open, and mends the mode that it leaves', async () => {
    const editor = script('stty raw -echo; echo opened; sleep 0.2; kill -9 $$');
    const { pane, answer } = ask(ARGUMENTS, { env: { EDITOR: editor } });
    await pane.shows(PROMPT);
    pane.type('e');
    await pane.shows('opened');
    pane.type('y');
    await pane.shows('nothing was changed');
    await pane.shows(/use "shell"\?\s+1 y/);
    pane.type('n');
    expect(await answer()).toEqual(NO);
  });

  it('offers one line to change where there is no editor', async () => {
    const { pane, answer } = ask(ARGUMENTS, { env: { EDITOR: '', VISUAL: '' } });
    await pane.shows(PROMPT);
    pane.type('e');
    await pane.shows('> {"command":"ls"}');
    pane.type('Left', 'Left', ' ', '-', 'l');
    await pane.shows('> {"command":"ls -l"}');
    pane.type('Enter');
    expect(await answer()).toEqual({ ...YES, arguments: { command: 'ls -l' } });
  });
});
