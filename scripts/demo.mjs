// Runs examples/demo on a copy of its project, so that the demo can mend it again and again.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'toolgate-demo-')));
cpSync('examples/demo/project', join(workspace, 'project'), { recursive: true });
const { status } = spawnSync(
  process.execPath,
  [
    'dist/cli.js',
    'run',
    'examples/demo/workflow.yaml',
    ...['--workspace', workspace],
    ...['--provider', 'scripted', '--script', 'examples/demo/script.yaml'],
    ...['-i', 'project_path=project'],
  ],
  { stdio: 'inherit' },
);
rmSync(workspace, { recursive: true, force: true });
process.exitCode = status ?? 1;
