import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../support/temporary-folder.js';

const run = promisify(execFile);

describe('the workflow of the request, unchanged', () => {
  it('runs with a scripted agent, and its states have the shape that was asked for', async () => {
    const folder = temporaryFolder();
    const workspace = join(folder, 'project');
    mkdirSync(join(workspace, 'src'), { recursive: true });
    writeFileSync(join(workspace, 'src', 'index.js'), 'export {};\n');
    const { stdout } = await run(
      process.execPath,
      [
        resolve('dist/cli.js'),
        'run',
        resolve('examples/workflows/autonomous-coding.yaml'),
        ...['--provider', 'scripted', '--script', resolve('examples/scripts/autonomous-coding.yaml')],
        ...[
          '-i',
          'project_path=.',
          '-i',
          'feature_description=a greeting',
          '--yes',
          '--output-format',
          'json',
        ],
      ],
      { cwd: workspace, env: { ...process.env, XDG_STATE_HOME: join(folder, 'state') } },
    );
    const { states } = JSON.parse(stdout);
    expect(Object.keys(states)).toEqual(['implement_feature']);
    expect(states.implement_feature).toMatchObject({
      output: 'Feature implemented successfully',
      tool_calls: [
        {
          id: 'call_001',
          tool: 'read_file',
          arguments: { path: 'src/index.js' },
          result: {
            success: true,
            output: 'export {};\n',
            duration_ms: expect.any(Number),
            approval: 'auto',
          },
        },
        {
          id: 'call_002',
          tool: 'write_file',
          result: { success: true, output: expect.stringContaining('File written'), approval: 'flag' },
        },
        { id: 'call_003', tool: 'run_tests', arguments: {}, result: { success: expect.any(Boolean) } },
      ],
      stopped_by: 'completed',
      turns: 4,
    });
    const { total_calls, successful, failed, total_duration_ms } = states.implement_feature.tool_stats;
    expect([total_calls, successful + failed]).toEqual([3, 3]);
    expect(total_duration_ms).toEqual(expect.any(Number));
    expect(readFileSync(join(workspace, 'src', 'feature.js'), 'utf8')).toContain('Hello');
  });
});
