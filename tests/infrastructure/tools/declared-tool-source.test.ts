import { describe, expect, it } from '@jest/globals';
import { ASK_ALWAYS } from '../../../src/domain/approval.js';
import { NO_PERMISSIONS } from '../../../src/domain/restrictions.js';
import { createTool } from '../../../src/domain/tool.js';
import type { ToolDeclaration, ToolKind } from '../../../src/domain/workflow.js';
import { DeclaredToolSource } from '../../../src/infrastructure/tools/declared-tool-source.js';
import type { ToolHandler } from '../../../src/ports/tool-handler.js';

const builtin = (name: 'shell' | 'read_file' | 'write_file' | 'http_request'): ToolKind => ({
  type: 'builtin',
  builtin: name,
});
const declare = (name: string, kind: ToolKind, more: Partial<ToolDeclaration> = {}): ToolDeclaration => ({
  name,
  kind,
  allowDash: [],
  approval: { default: 'auto', rules: [] },
  restrictions: {},
  ...more,
});
const handler = (name: string): ToolHandler => ({ tool: createTool({ name }), run: () => name });

const open = (declarations: readonly ToolDeclaration[], handlers: readonly ToolHandler[] = []) =>
  new DeclaredToolSource({ handlers }).open({
    declarations,
    workspace: '/ws',
    inputs: { project_path: '/data' },
    env: {},
    onUnavailable: 'deny',
  });

describe('DeclaredToolSource', () => {
  it('offers every built-in, under a name of its own if it has one', async () => {
    const entries = await open([
      declare('sh', builtin('shell'), { timeoutMs: 7 }),
      declare('read_file', builtin('read_file')),
      declare('write_file', builtin('write_file')),
      declare('http_request', builtin('http_request')),
    ]);
    expect(entries.map(({ handler: { tool } }) => tool.name)).toEqual([
      'sh',
      'read_file',
      'write_file',
      'http_request',
    ]);
    expect(entries[0]).toMatchObject({
      approval: { default: 'auto' },
      workspace: '/ws',
      onUnavailable: 'deny',
      timeoutMs: 7,
      permissions: NO_PERMISSIONS,
    });
  });

  it('offers the commands of the request', async () => {
    const properties = { pattern: { type: 'string' } };
    const [tests, search] = await open([
      declare('run_tests', { type: 'command', command: 'cd {{inputs.project_path}} && npm test' }),
      declare(
        'search',
        { type: 'command', command: "rg '{{args.pattern}}' {{inputs.project_path}}" },
        {
          description: 'Search for pattern in codebase',
          parameters: { type: 'object', properties, required: ['pattern'] },
          idempotent: true,
        },
      ),
    ]);
    expect(tests?.permissions).toMatchObject({ read: ['/ws/**', '/data/**'], commands: 'system' });
    expect(search?.handler.tool).toMatchObject({
      description: 'Search for pattern in codebase',
      idempotent: true,
      parameters: { properties },
    });
  });

  it('lets a declaration say more of a tool, never what it takes', async () => {
    const [entry] = await open([declare('sh', builtin('shell'), { description: 'Mine', exclusive: true })]);
    expect(entry?.handler.tool).toMatchObject({
      description: 'Mine',
      exclusive: true,
      parameters: { required: ['command'] },
    });
    const odd = declare('sh', builtin('shell'), { parameters: { type: 'object' } });
    await expect(open([odd])).rejects.toThrow('only a command tool can be given some');
  });

  it('asks about a bound handler that nobody declared, and permits it nothing', async () => {
    const mine = handler('mine');
    const [entry] = await open([], [mine]);
    expect(entry).toMatchObject({ approval: ASK_ALWAYS, permissions: NO_PERMISSIONS });
    expect(entry?.handler).toBe(mine);
  });

  it('configures a bound handler by its declaration, and keeps its own state', async () => {
    class Counter implements ToolHandler {
      readonly tool = createTool({ name: 'count' });
      #count = 0;
      run() {
        this.#count++;
        return String(this.#count);
      }
    }
    const declaration = declare('count', { type: 'handler' }, { idempotent: true });
    const [entry] = await open([declaration], [new Counter()]);
    expect(entry?.approval.default).toBe('auto');
    expect(entry?.handler.tool.idempotent).toBe(true);
    await entry?.handler.run({}, {} as never);
    expect(await entry?.handler.run({}, {} as never)).toBe('2');
  });

  it('checks a tool that was described by hand', async () => {
    const byHand = { tool: { name: 'mine' }, run: () => '' } as unknown as ToolHandler;
    const [entry] = await open([], [byHand]);
    expect(entry?.handler.tool).toMatchObject({ name: 'mine', destructive: true, sideEffects: 'external' });
    const broken = { tool: { name: 'no spaces' }, run: () => '' } as unknown as ToolHandler;
    await expect(open([], [broken])).rejects.toMatchObject({ code: 'WORKFLOW.TOOL.INVALID' });
    await expect(open([], [{} as ToolHandler])).rejects.toThrow('it needs `tool` and `run`');
  });

  it.each([
    ['two declarations', [declare('a', builtin('shell')), declare('a', builtin('read_file'))], []],
    ['two handlers', [], [handler('a'), handler('a')]],
    ['a handler and a built-in', [declare('a', builtin('shell'))], [handler('a')]],
    ['a handler and a command', [declare('a', { type: 'command', command: 'ls' })], [handler('a')]],
  ])('refuses one name for %s', async (_what, declarations, handlers) => {
    await expect(open(declarations, handlers)).rejects.toMatchObject({
      code: 'WORKFLOW.VALIDATION.DUPLICATE',
    });
  });

  it('says what is bound when a handler is missing', async () => {
    const missing = open([declare('deploy', { type: 'handler' })], [handler('deploi'), handler('other')]);
    await expect(missing).rejects.toThrow(
      /"deploy" has neither "builtin" nor "command".*bound: deploi, other/s,
    );
  });

  it('says how to have the built-in tool of that name', async () => {
    const missing = open([declare('shell', { type: 'handler' })]);
    await expect(missing).rejects.toThrow(/"shell" has neither.*; write builtin: true$/s);
  });

  it('tells all problems of all tools at once', async () => {
    const opened = open([
      declare('one', { type: 'command', command: '{{args.x}}' }),
      declare(
        'two',
        { type: 'command', command: 'eval {{inputs.project_path}}' },
        {
          restrictions: { hosts: ['http://x/'] },
        },
      ),
      declare('three', { type: 'handler' }),
    ]);
    const error = await opened.catch((problem: unknown) => problem as Error);
    expect(error).toMatchObject({ code: 'WORKFLOW.TOOL.INVALID', details: expect.any(Array) });
    expect((error as Error).message.match(/^- Tool "\w+"/gm)).toEqual([
      '- Tool "one"',
      '- Tool "two"',
      '- Tool "two"',
      '- Tool "three"',
    ]);
  });
});
