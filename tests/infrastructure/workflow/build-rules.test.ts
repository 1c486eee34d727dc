import { describe, expect, it } from '@jest/globals';
import { parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';
import { listProblems } from './problems-of.js';

const STEPS = 'steps: [{ name: s, type: agent, provider: scripted, prompt: go, tools: [t] }]';

const written = (tool: string, rule: string) =>
  `name: rules\ntools:\n  - name: t\n    ${tool}\n    approval:\n      rules:\n        - ${rule}\n${STEPS}\n`;

const SHELL = 'builtin: shell';
const READ = 'builtin: read_file';
const HTTP = 'builtin: http_request';
const TEMPLATE = 'command: "make {{args.target}}"\n    parameters: [{ name: target }]';

function ruleOf(tool: string, rule: string) {
  return parseWorkflow(written(tool, rule)).tools[0]?.approval.rules[0];
}

describe('approval rules', () => {
  it('are read with all of their keys', () => {
    const rule = `{ mode: auto, command: git status, reason: only looks, match: [git status -s], not_match: [git push] }`;
    expect(ruleOf(SHELL, rule)).toEqual({
      mode: 'auto',
      when: { command: ['git', 'status'] },
      reason: 'only looks',
      match: ['git status -s'],
      notMatch: ['git push'],
    });
    expect(ruleOf(SHELL, '{ mode: deny, command: [git, commit, "-m", "a b"] }')?.when).toEqual({
      command: ['git', 'commit', '-m', 'a b'],
    });
    expect(ruleOf(HTTP, '{ mode: auto, hosts: [api.example.com], methods: [get] }')?.when).toEqual({
      hosts: ['api.example.com'],
      methods: ['GET'],
    });
    expect(
      ruleOf(READ, '{ mode: deny, paths: ["secrets/**"], when: { limit: { minimum: 9 } } }')?.when,
    ).toEqual({
      paths: ['secrets/**'],
      arguments: { type: 'object', properties: { limit: { minimum: 9 } }, required: ['limit'] },
    });
  });

  it.each([
    [SHELL, '{ mode: auto, command: git status, match: [git status, "git status && git status -s"] }'],
    [
      SHELL,
      '{ mode: auto, command: git status, not_match: ["git status && rm x", "git status > x", env git status] }',
    ],
    [SHELL, '{ mode: deny, command: git push, match: [git -C x push, { command: "ls; git push" }] }'],
    [
      READ,
      '{ mode: deny, paths: ["secrets/**"], match: [secrets/a, { path: ./x/../secrets/b }], not_match: [a] }',
    ],
    [
      HTTP,
      '{ mode: auto, hosts: [a.org], methods: [GET], match: ["https://a.org/x"], not_match: ["POST https://a.org"] }',
    ],
    [
      TEMPLATE,
      '{ mode: deny, when: { target: { const: all } }, match: [{ target: all }], not_match: [{ target: x }, {}] }',
    ],
    [TEMPLATE, '{ mode: auto, command: make test, match: [make test] }'],
    [READ, '{ mode: auto, paths: ["{{inputs.root}}/**"] }'],
  ])('are checked by their examples, and right ones pass: %s %s', (tool, rule) => {
    expect(listProblems(written(tool, rule))).toEqual([]);
  });

  it.each([
    [
      SHELL,
      '{ mode: auto, command: git status, match: [git push] }',
      'must match, but the rule does not speak for it',
    ],
    [
      SHELL,
      '{ mode: auto, command: git, not_match: [git push] }',
      'must not match, but the rule speaks for it',
    ],
    [SHELL, '{ mode: auto, command: ls, match: ["ls > x"] }', 'a redirection'],
    [READ, '{ mode: deny, paths: [secrets], match: [other] }', 'must match'],
    [HTTP, '{ mode: auto, hosts: [a.org], match: [a.org] }', 'is not a URL'],
    [READ, '{ mode: auto, paths: ["{{inputs.root}}/**"], match: [a] }', 'cannot be checked'],
    ['idempotent: true', '{ mode: deny, paths: [x], match: [x] }', 'write arguments, as a mapping'],
    [SHELL, '{ mode: auto }', 'needs a condition: `command`, `paths`, `hosts`, `methods` or `when`'],
    [SHELL, '{ mode: deny, paths: ["x/**"] }', 'cannot speak of `paths`'],
    [READ, '{ mode: deny, command: cat }', 'cannot speak of `command`'],
    [HTTP, '{ mode: deny, paths: [x] }', 'cannot speak of `paths`'],
    [SHELL, '{ mode: auto, command: "git status | cat" }', 'a rule names words, not shell text'],
    [SHELL, '{ mode: auto, command: "X=1 git" }', 'begins with a variable'],
    [SHELL, '{ mode: auto, command: " " }', 'names no program'],
    [SHELL, '{ mode: auto, command: [] }', 'expected words such as git status'],
    [SHELL, '{ mode: auto, when: { command: { pattern: "^git status" } } }', 'needs `const` or `enum`'],
    [READ, '{ mode: deny, paths: ["../x"] }', 'has a ".." in it'],
    [READ, '{ mode: deny, paths: ["!x"] }', 'begins with "!"'],
    [HTTP, '{ mode: deny, hosts: ["https://a.org"] }', 'expected a host'],
    [HTTP, '{ mode: deny, hosts: [a.org], methods: ["GET POST"] }', 'expected a method'],
    [SHELL, '{ mode: auto, comand: git }', 'unknown key `comand`'],
  ])('say what is wrong with %s %s', (tool, rule, message) => {
    expect(listProblems(written(tool, rule)).join('\n')).toContain(message);
  });

  it('are reported at their own line', () => {
    const source = written(
      SHELL,
      '{ mode: auto, command: ls,\n            match: [\n              ls,\n              rm ] }',
    );
    expect(() => parseWorkflow(source)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ line: 10 })] }),
    );
  });
});
