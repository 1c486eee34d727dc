import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { TmuxPane } from '../../support/tmux-pane.js';

const CLI = resolve('dist/cli.js');

describe('a terminal that is closed while it asks', () => {
  it('stops the run and leaves the question open: nobody has said no', async () => {
    const folder = temporaryFolder();
    const workspace = join(folder, 'w');
    mkdirSync(workspace);
    const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state') };
    const toolgate = (...args: readonly string[]): string =>
      execFileSync(process.execPath, [CLI, ...args], {
        cwd: workspace,
        env,
        encoding: 'utf8',
        stdio: 'pipe',
      });
    toolgate('init', 'flow.yaml');
    const line = `cd ${workspace} && ${process.execPath} ${CLI} run flow.yaml --script flow.script.yaml`;
    using pane = new TmuxPane(['sh', '-c', line], { env: { XDG_STATE_HOME: env.XDG_STATE_HOME } });
    await pane.shows('any other key means no >');
    pane.close();
    let runs = toolgate('runs');
    while (runs.includes('running')) {
      await delay(50);
      runs = toolgate('runs');
    }
    expect(runs).toMatch(/cancelled .* write_file \(call_001, plan [0-9a-f]+\)/);
  });
});
