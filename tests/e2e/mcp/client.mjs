// The client that the conformance suite starts, with the suite's own address as the last word: it lists the tools, and
// calls each through the gate.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FILE = 'tests/e2e/mcp/client.yaml';
const ARGUMENTS = { suite_add_numbers: { a: 5, b: 3 } };
// Each scenario is a server of its own: what one said of its tools is not what another did.
const state = mkdtempSync(join(tmpdir(), 'toolgate-e2e-'));

function toolgate(...argv) {
  const all = ['dist/cli.js', ...argv, '-i', `url=${process.argv.at(-1)}`];
  const env = { ...process.env, XDG_STATE_HOME: state };
  return execFileSync(process.execPath, all, { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

try {
  const { tools } = JSON.parse(toolgate('mcp', FILE, '--output-format', 'json'));
  for (const { name } of tools) {
    process.stdout.write(toolgate('call', FILE, name, '--args', JSON.stringify(ARGUMENTS[name] ?? {})));
  }
} finally {
  rmSync(state, { recursive: true, force: true });
}
