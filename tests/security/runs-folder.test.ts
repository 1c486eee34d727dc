import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CallRunner } from '../../src/application/call-runner.js';
import { createContainer, loadWorkflow } from '../../src/container.js';
import { TOKENS } from '../../src/ports/tokens.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const WORKFLOW = `
name: greedy
sandbox: { on_unavailable: warn }
tools:
  - name: write_file
    builtin: true
    approval: auto
    restrictions: { paths: ["{{inputs.home}}/**"] }
steps: []
`;

/** The state folder lies where a tool may write: a home that was given whole. */
describe('the folder of the runs', () => {
  let home: string;
  let state: string;
  const before = process.env.XDG_STATE_HOME;

  beforeEach(() => {
    home = temporaryFolder();
    state = join(home, 'state');
    mkdirSync(join(home, 'workspace'));
    writeFileSync(join(home, 'flow.yaml'), WORKFLOW);
  });

  it.each(['forged', 'a/b/c/forged'])(
    'cannot be written by a tool that may write all around it: %s',
    async (name) => {
      const result = await call({ path: join(state, 'toolgate', name), content: 'approved: always' });
      expect(result).toMatchObject({ success: false, error: { code: 'EXECUTION.SANDBOX.DENIED' } });
      expect(readdirSync(join(state, 'toolgate')).join()).not.toContain('forged');
    },
  );

  it('leaves what is beside it alone', async () => {
    expect(await call({ path: join(home, 'state', 'notes.md'), content: 'x' })).toMatchObject({
      success: true,
    });
  });

  async function call(args: { path: string; content: string }) {
    process.env.XDG_STATE_HOME = state;
    try {
      const workspace = join(home, 'workspace');
      const container = await createContainer({ journal: 'file', workspace });
      const workflow = await loadWorkflow(join(home, 'flow.yaml'));
      const runner = container.get<CallRunner>(TOKENS.CallRunner);
      const signal = new AbortController().signal;
      const request = { workflow, workspace, inputs: { home }, env: {}, tool: 'write_file', arguments: args };
      const run = runner.run({ ...request, durability: 'crash' }, { signal });
      for (;;) {
        const { done, value } = await run.next();
        if (done) return value;
      }
    } finally {
      if (before === undefined) delete process.env.XDG_STATE_HOME;
      else process.env.XDG_STATE_HOME = before;
    }
  }
});
