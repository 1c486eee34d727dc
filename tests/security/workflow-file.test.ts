import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ASK_ALWAYS } from '../../src/domain/approval.js';
import { GuardedFileAccess } from '../../src/infrastructure/sandbox/guarded-file-access.js';
import { SystemClock } from '../../src/infrastructure/system/system-clock.js';
import { DeclaredToolSource } from '../../src/infrastructure/tools/declared-tool-source.js';
import { RoutingToolExecutor } from '../../src/infrastructure/tools/routing-executor.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const SIGNAL = new AbortController().signal;

async function write(workspace: string, path: string): Promise<unknown> {
  const files = { files: new GuardedFileAccess(), sandbox: {}, network: {} } as never;
  const executor = new RoutingToolExecutor(Object.assign({ clock: new SystemClock() }, files));
  const [entry] = await new DeclaredToolSource({ handlers: [] }).open({
    workspace,
    protect: [join(workspace, 'workflow.yaml')],
    declarations: [
      {
        name: 'write_file',
        kind: { type: 'builtin', builtin: 'write_file' },
        allowDash: [],
        approval: { ...ASK_ALWAYS, default: 'auto' },
        restrictions: { paths: { read: ['**'], write: ['**'], deny: [] } },
      },
    ],
  });
  if (!entry) throw new Error('no tool');
  const call = { id: 'c1', tool: 'write_file', arguments: { path, content: 'tools: []' } };
  const planned = await executor.plan(entry, call, { signal: SIGNAL });
  const context = {
    callId: 'c1',
    signal: SIGNAL,
    timeoutMs: 1000,
    log: () => undefined,
    onProcess: () => undefined,
  };
  return executor.execute(entry, planned, context);
}

describe('the workflow file in the workspace', () => {
  it.each(['workflow.yaml', './x/../workflow.yaml', 'alias.yaml'])(
    'cannot be written as %s',
    async (path) => {
      const workspace = temporaryFolder();
      writeFileSync(join(workspace, 'workflow.yaml'), 'the rules');
      symlinkSync('workflow.yaml', join(workspace, 'alias.yaml'));
      await expect(write(workspace, path)).rejects.toMatchObject({ code: 'EXECUTION.SANDBOX.DENIED' });
      expect(readFileSync(join(workspace, 'workflow.yaml'), 'utf8')).toBe('the rules');
    },
  );

  it('leaves a file beside it alone', async () => {
    const workspace = temporaryFolder();
    writeFileSync(join(workspace, 'workflow.yaml'), 'the rules');
    expect(await write(workspace, 'notes.yaml')).toMatchObject({ success: true });
  });
});
