import { describe, expect, it } from '@jest/globals';
import { createPlan, type PlannedAction, type PlannedCommand } from '../../../src/domain/plan.js';
import { describeRule, suggestRule } from '../../../src/infrastructure/approval/suggest-rule.js';

function suggest(action: PlannedAction) {
  return suggestRule(createPlan({ tool: 'tool', arguments: {}, action }));
}

function processOf(...lines: readonly string[]): Extract<PlannedAction, { kind: 'process' }> {
  const commands = lines.map((line): PlannedCommand => {
    const [name = '', ...args] = line.split(' ');
    return name.includes('/') ? { path: name, args } : { name, path: `/usr/bin/${name}`, args };
  });
  return { kind: 'process', argv: ['/bin/sh'], cwd: '/workspace', commands };
}

describe('suggestRule', () => {
  it.each([
    ['git status -s', 'the command begins with git status'],
    ['gh pr view 12', 'the command begins with gh pr view'],
    ['ls -la src', 'the command begins with ls'],
  ])('offers for %s: %s', (line, text) => {
    const rule = suggest(processOf(line));
    expect(rule && describeRule(rule)).toBe(text);
  });

  it.each([
    'git -C elsewhere push',
    'git -c alias.x=!id x',
    'git',
    'node build.js',
    'node -e 1',
    'sh -c ls',
    'python3 x.py',
    'env ls',
    'sudo ls',
    'xargs ls',
    'npm run test',
    'make all',
    'rm old.txt',
    'find . -exec id',
    'curl https://example.org',
    '/workspace/git status',
  ])('offers none for %s', (line) => {
    expect(suggest(processOf(line))).toBeUndefined();
  });

  it('offers none for a compound command, nor for what was not read to its end', () => {
    expect(suggest(processOf('git status', 'ls'))).toBeUndefined();
    expect(suggest({ ...processOf('git status'), unread: 'a redirection' })).toBeUndefined();
    expect(suggest({ kind: 'process', argv: ['/usr/bin/git', 'status'], cwd: '/' })).toBeUndefined();
  });

  it('offers the folder of a file, with what its name holds as plain text', () => {
    expect(suggest({ kind: 'read-file', path: '/w/a[1]/b.md' })).toEqual({ paths: ['/w/a\\[1\\]/**'] });
    const write = { kind: 'write-file', path: '/w/site/b.md', bytes: 1, append: false } as const;
    expect(suggest(write)).toEqual({ paths: ['/w/site/*'] });
    expect(suggest({ kind: 'read-file', path: '/file' })).toBeUndefined();
  });

  it('offers the host with its port and the method of a request', () => {
    const url = 'https://api.example.com:8443/x?y';
    expect(suggest({ kind: 'http', method: 'POST', url })).toEqual({
      hosts: ['api.example.com:8443'],
      methods: ['POST'],
    });
  });

  it('offers none for a handler: what it does is its own', () => {
    expect(suggest({ kind: 'handler' })).toBeUndefined();
  });
});

describe('describeRule', () => {
  it('says all of a rule, and keeps words apart', () => {
    expect(describeRule({ command: ['git', 'commit', '-m', 'a b'] })).toBe(
      `the command begins with git commit -m 'a b'`,
    );
    expect(describeRule({ hosts: ['a.org', 'b.org'], methods: ['GET'] })).toBe(
      'the method is GET and the host is a.org or b.org',
    );
    expect(describeRule({ arguments: { properties: { amount: { minimum: 100 } } } })).toBe(
      'the arguments fit {"amount":{"minimum":100}}',
    );
    expect(describeRule({})).toBe('never');
  });
});
