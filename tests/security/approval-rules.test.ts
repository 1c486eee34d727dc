import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { prepareCall } from '../../src/application/prepare-call.js';
import { createContainer } from '../../src/container.js';
import type { JsonObject } from '../../src/domain/json.js';
import { parseWorkflow } from '../../src/infrastructure/workflow/parse-workflow.js';
import type { ArgumentValidator } from '../../src/ports/argument-validator.js';
import { TOKENS } from '../../src/ports/tokens.js';
import type { ToolExecutor } from '../../src/ports/tool-executor.js';
import type { ToolSource } from '../../src/ports/tool-source.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const WORKFLOW = `
name: rules
tools:
  - name: any
    builtin: shell
    restrictions: { commands: any }
    approval:
      default: prompt
      rules: [{ mode: auto, command: ls }, { mode: auto, command: cat a }, { mode: deny, command: rm }]
  - name: listed
    builtin: shell
    restrictions: { commands: [ls, rm, timeout], paths: ["**"] }
    approval: { default: auto, rules: [{ mode: deny, command: rm }] }
  - name: write_file
    builtin: true
    restrictions: { paths: ["**"] }
    approval:
      default: auto
      rules: [{ mode: deny, paths: ["secrets/**"] }, { mode: prompt, paths: [package.json], reason: it can run code }]
  - name: drafts
    builtin: write_file
    restrictions: { paths: ["**"] }
    approval: { rules: [{ mode: auto, paths: ["drafts/**"] }] }
steps: []
`;

/** Rules against what is really planned: programs are looked for on this machine, links are followed. */
describe('approval rules', () => {
  let workspace: string;
  beforeEach(() => {
    workspace = temporaryFolder();
    for (const folder of ['secrets', 'drafts', 'sub']) mkdirSync(join(workspace, folder));
    for (const place of ['ls', 'sub/ls']) {
      writeFileSync(join(workspace, place), '#!/bin/sh\n');
      chmodSync(join(workspace, place), 0o755);
    }
    symlinkSync('secrets', join(workspace, 'link'));
    symlinkSync('/bin/rm', join(workspace, 'remove'));
    symlinkSync('../secrets/key', join(workspace, 'drafts', 'link'));
  });

  async function verdictOf(name: string, args: JsonObject): Promise<string> {
    const container = await createContainer({ sandbox: 'process' });
    const { signal } = new AbortController();
    const { tools: declarations } = parseWorkflow(WORKFLOW);
    const source = container.get<ToolSource>(TOKENS.ToolSource);
    const entries = await source.open({ workspace, declarations, onUnavailable: 'warn' }, { signal });
    const prepared = await prepareCall(
      { id: 'c', name, arguments: args },
      {
        tools: new Map(entries.map((entry) => [entry.handler.tool.name, entry])),
        executor: container.get<ToolExecutor>(TOKENS.ToolExecutor),
        validator: container.get<ArgumentValidator>(TOKENS.ArgumentValidator),
        signal,
        remember: () => undefined,
      },
    );
    return prepared.verdict === 'refuse' ? prepared.failure.code : prepared.verdict;
  }

  it.each([
    ['ls', 'run'],
    ['/bin/ls -la', 'run'],
    ['ls && cat a | ls', 'run'],
    ['timeout 5 ls', 'run'],
    ['./ls', 'review'],
    ['sub/../ls', 'review'],
    ['cd sub && ./ls', 'review'],
    ['PATH=. ls', 'review'],
    ['export PATH=.; ls', 'review'],
    ['alias ls=id; ls', 'review'],
    ['ls > x', 'review'],
    ['ls $(id)', 'review'],
    ['ls\nid', 'review'],
    ['ls & id', 'review'],
    ['cat b', 'review'],
    ['env ls', 'review'],
    ['nohup env ls', 'review'],
    ['sh -c ls', 'review'],
    ['rm x', 'EXECUTION.APPROVAL.DENIED'],
    ['ls; /bin/rm x', 'EXECUTION.APPROVAL.DENIED'],
    ['timeout 5 rm x', 'EXECUTION.APPROVAL.DENIED'],
    ["'r'm x", 'EXECUTION.APPROVAL.DENIED'],
    ['./remove x', 'EXECUTION.APPROVAL.DENIED'],
    ['/lib64/ld-linux-x86-64.so.2 /bin/rm x', 'review'],
    ['find . -delete', 'review'],
  ])('on a tool that may run anything: %s → %s', async (command, verdict) => {
    expect(await verdictOf('any', { command })).toBe(verdict);
  });

  it.each([
    ['ls', 'run'],
    ['rm x', 'EXECUTION.APPROVAL.DENIED'],
    ['timeout 5 rm x', 'EXECUTION.APPROVAL.DENIED'],
    ['ls | rm x', 'EXECUTION.APPROVAL.DENIED'],
  ])('on a tool with a list of programs: %s → %s', async (command, verdict) => {
    expect(await verdictOf('listed', { command })).toBe(verdict);
  });

  it.each([
    ['write_file', 'a', 'run'],
    ['write_file', 'secrets/key', 'EXECUTION.APPROVAL.DENIED'],
    ['write_file', 'sub/../secrets/key', 'EXECUTION.APPROVAL.DENIED'],
    ['write_file', 'link/key', 'EXECUTION.APPROVAL.DENIED'],
    ['write_file', 'package.json', 'review'],
    ['drafts', 'drafts/a', 'run'],
    ['drafts', 'drafts/../a', 'review'],
    ['drafts', 'other', 'review'],
  ])('of files: %s %s → %s', async (tool, path, verdict) => {
    expect(await verdictOf(tool, { path, content: 'x' })).toBe(verdict);
  });

  it('does not let a link in a folder that is free lead to one that is not', async () => {
    expect(await verdictOf('drafts', { path: 'drafts/link', content: 'x' })).not.toBe('run');
  });
});
