import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Minimatch } from 'minimatch';
import { DEFAULT_LIMITS, type Restrictions } from '../../../src/domain/restrictions.js';
import { escapeGlob } from '../../../src/domain/rules/glob-text.js';
import type { ToolKind } from '../../../src/domain/workflow.js';
import { resolvePattern } from '../../../src/infrastructure/tools/path-pattern.js';
import { resolvePermissions } from '../../../src/infrastructure/tools/resolve-permissions.js';

const scope = {
  workspace: '/ws',
  inputs: {
    project_path: '.',
    other: '/data/set',
    branch: 'main',
    port: 80,
    empty: '',
    home: '~/x',
    star: '*',
  },
  env: { HOME: '/home/me' },
};
const shell: ToolKind = { type: 'builtin', builtin: 'shell' };
const command = (text: string): ToolKind => ({ type: 'command', command: text });

function resolve(kind: ToolKind, restrictions: Restrictions = {}) {
  const problems: unknown[] = [];
  const permissions = resolvePermissions({ kind, restrictions }, scope, (problem) => problems.push(problem));
  return { permissions, problems: problems.map((problem) => (problem as Error).message) };
}

describe('resolvePermissions', () => {
  it.each<ToolKind>([shell, { type: 'handler' }])('gives nothing that is not named: %p', (kind) => {
    expect(resolve(kind).permissions).toEqual({
      read: [],
      write: [],
      deny: [],
      protect: [],
      commands: [],
      hosts: [],
      privateHosts: [],
      env: [],
      strict: false,
      limits: DEFAULT_LIMITS,
    });
  });

  it('is strict only about a list of commands', () => {
    expect(resolve(shell, { strict: true, commands: ['git'] })).toMatchObject({
      permissions: { strict: true },
      problems: [],
    });
    for (const commands of ['any', undefined] as const) {
      const { problems } = resolve(shell, { strict: true, ...(commands ? { commands } : {}) });
      expect(problems).toEqual([
        'restrictions.strict: "true" needs a list of commands: only those will exist',
      ]);
    }
  });

  it.each([
    ['npm test', ['/ws/**']],
    ['rg x {{inputs.project_path}} {{inputs.branch}}', ['/ws/**']],
    ['rg x {{inputs.other}}', ['/ws/**', '/data/set/**']],
    ['rg x {{args.x}} {{env.HOME}}', ['/ws/**']],
  ])('gives the command %p the workspace and the paths it is given', (text, paths) => {
    expect(resolve(command(text)).permissions).toMatchObject({
      read: paths,
      write: paths,
      commands: 'system',
    });
  });

  it('gives a command no more than it names once it names paths', () => {
    const paths = { read: ['src/**'], write: [], deny: ['src/secret'] };
    expect(resolve(command('rg x'), { paths, commands: [] }).permissions).toMatchObject({
      read: ['/ws/src/**'],
      write: [],
      deny: ['/ws/src/secret'],
      commands: [],
    });
  });

  it('fills in values and makes everything absolute', () => {
    const { permissions, problems } = resolve(shell, {
      paths: {
        read: ['{{inputs.project_path}}/**', './src/*.ts', '{{env.HOME}}/notes', '!src/x'],
        write: ['{{.inputs.other}}/out/**'],
        deny: [],
      },
      protect: ['.github/**'],
      commands: ['git', '{{inputs.other}}/bin/tool'],
      hosts: ['api.example.com', '*.example.org', 'localhost:{{inputs.port}}'],
      privateHosts: ['10.0.0.0/8', '::1'],
      env: ['LANG'],
      maxOutputBytes: 5,
    });
    expect(problems).toEqual([]);
    expect(permissions).toEqual({
      read: ['/ws/**', '/ws/src/*.ts', '/home/me/notes', '!/ws/src/x'],
      write: ['/data/set/out/**'],
      deny: [],
      protect: ['/ws/.github/**'],
      commands: ['git', '/data/set/bin/tool'],
      hosts: ['api.example.com', '*.example.org', 'localhost:80'],
      privateHosts: ['10.0.0.0/8', '::1'],
      env: ['LANG'],
      strict: false,
      limits: { ...DEFAULT_LIMITS, maxOutputBytes: 5 },
    });
  });

  it('keeps the opt-out', () => {
    expect(resolve(shell, { commands: 'any' }).permissions.commands).toBe('any');
  });

  it('tells everything that is wrong', () => {
    const { problems } = resolve(shell, {
      paths: {
        read: [
          '{{inputs.empty}}/**',
          '/**',
          '~/x/**',
          '{{inputs.home}}',
          '',
          'a/*/../b',
          '/{etc,usr}/**',
          '..',
        ],
        write: ['{{inputs.missing}}/**'],
        deny: [],
      },
      commands: ['{{inputs.empty}}'],
      hosts: ['https://example.org/x', '{{inputs.star}}.org', 'user@host'],
      env: ['A=B', 'PATH '],
    });
    expect(problems.map((problem) => problem.replace(/^The path pattern |restrictions\./, ''))).toEqual([
      expect.stringContaining('uses {{inputs.empty}}, which is empty'),
      expect.stringContaining('begins at the root of the file system'),
      expect.stringContaining('begins with "~"'),
      expect.stringContaining('uses {{inputs.home}}, which begins with "~"'),
      expect.stringContaining('"" is empty'),
      expect.stringContaining('has a ".." in it'),
      expect.stringContaining('begins at the root of the file system'),
      expect.stringContaining('write the folder itself'),
      expect.stringContaining('{{inputs.missing}} has no value'),
      expect.stringContaining('commands: "{{inputs.empty}}" uses {{inputs.empty}}, which is empty'),
      expect.stringContaining('hosts: "https://example.org/x" is not a host'),
      expect.stringContaining('which holds a "*"'),
      expect.stringContaining('hosts: "user@host" is not a host'),
      expect.stringContaining('env: "A=B" is not the name'),
      expect.stringContaining('env: "PATH " is not the name'),
    ]);
  });

  it('refuses a command whose path input is the root', () => {
    const problems: unknown[] = [];
    const atRoot = { ...scope, inputs: { dir: '/' } };
    const declaration = { kind: command('ls {{inputs.dir}}'), restrictions: {} };
    resolvePermissions(declaration, atRoot, (problem) => problems.push(problem));
    expect(problems).toEqual([expect.objectContaining({ code: 'WORKFLOW.RESTRICTION.INVALID' })]);
  });
});

describe('a value in a pattern', () => {
  const name = fc
    .string({ unit: fc.constantFrom(...'*?[]{}()!+@,.-ab'), minLength: 1, maxLength: 8 })
    .filter((text) => !/^\.{1,2}$/.test(text));
  const matches = (pattern: string, path: string) =>
    new Minimatch(pattern, { noext: true, nonegate: true, nocomment: true, dot: true }).match(path);

  it('means itself, whatever is in it', () => {
    fc.assert(
      fc.property(name, name, (value, other) => {
        const inputs = { value: `/data/${value}` };
        const pattern = resolvePattern('{{inputs.value}}/**', { ...scope, inputs });
        expect(matches(pattern, `/data/${value}/file`)).toBe(true);
        expect(matches(pattern, `/data/${other}/file`)).toBe(value === other);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['../x', 'a/../b', '..', 'a/..'])('cannot lead out of a folder: %s', (value) => {
    const compile = () => resolvePattern('{{inputs.value}}/**', { ...scope, inputs: { value } });
    expect(compile).toThrow(expect.objectContaining({ code: 'WORKFLOW.RESTRICTION.INVALID' }));
  });

  it.each(['/ws/../**', '../**', 'src/..', '!../x', '{..,a}/**', '[.]./x'])(
    'nor can a pattern: %s',
    (pattern) => {
      const code = 'WORKFLOW.RESTRICTION.INVALID';
      expect(() => resolvePattern(pattern, scope)).toThrow(expect.objectContaining({ code }));
    },
  );

  it.each([
    ['{{inputs.project_path}}/**', '/ws/**'],
    ['./src/**', '/ws/src/**'],
    ['a..b/...', '/ws/a..b/...'],
  ])('but %s is %s', (pattern, path) => {
    expect(resolvePattern(pattern, scope)).toBe(path);
  });

  it('cannot hold a backslash, nor can the workspace', () => {
    const inputs = { value: '/data/{}\\*' };
    expect(() => resolvePattern('{{inputs.value}}/**', { ...scope, inputs })).toThrow('holds a backslash');
    expect(() => resolvePattern('src/**', { ...scope, workspace: '/w\\s' })).toThrow('with a backslash');
  });

  it('means itself in the workspace as well', () => {
    const odd = { ...scope, workspace: '/w{a,b}*' };
    expect(resolvePattern('src/**', odd)).toBe('/w\\{a,b\\}\\*/src/**');
    expect(matches(resolvePattern('src/**', odd), '/w{a,b}*/src/x')).toBe(true);
    expect(escapeGlob('plain/path')).toBe('plain/path');
  });
});
