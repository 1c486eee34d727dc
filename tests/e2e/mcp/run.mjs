// MCP against programs that nobody here wrote: the conformance suite over HTTP, for our server and for our client, and
// the inspector's command line over standard input and output. Needs a build; fetches both the first time.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { installPeers } from './install.mjs';
import { serve } from './served.mjs';

const CLI = resolve('dist/cli.js');
const WORKFLOW = resolve('tests/e2e/mcp/workflow.yaml');
const EXPECTED_FAILURES = resolve('tests/e2e/mcp/expected-failures.yaml');
const peers = installPeers();
const state = mkdtempSync(join(tmpdir(), 'toolgate-e2e-'));
const env = { ...process.env, XDG_STATE_HOME: state };

const run = promisify(execFile);

/** What it says, if it is content. */
async function suite(...argv) {
  const program = join(peers, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const { stdout } = await run(process.execPath, [program, ...argv]).catch((error) => {
    process.stderr.write(`${error.stdout}${error.stderr}`);
    throw new Error(`the conformance suite found something: ${argv.join(' ')}`);
  });
  return stdout;
}

/** A failure that is not expected fails, and so does an expected one that is none. */
async function ourServer() {
  const served = await serve({ cli: CLI, workflow: WORKFLOW, env });
  try {
    const options = ['--url', served.url, '--suite', 'all', '--expected-failures', EXPECTED_FAILURES];
    const said = await suite('server', ...options);
    process.stdout.write(said.slice(said.indexOf('=== SUMMARY ===')));
  } finally {
    await served.close();
  }
}

/** All that is not about logging in: our client has only the headers that it was given. */
async function ourClient() {
  const command = `${process.execPath} tests/e2e/mcp/client.mjs`;
  for (const scenario of ['initialize', 'tools_call', 'sse-retry']) {
    await suite('client', '--command', command, '--scenario', scenario);
    process.stdout.write(`our client: passes ${scenario}\n`);
  }
}

async function inspect(...options) {
  const cli = join(peers, 'node_modules/@modelcontextprotocol/inspector/cli/build/cli.js');
  const argv = [cli, '--cli', process.execPath, CLI, 'serve', WORKFLOW, ...options];
  const { stdout } = await run(process.execPath, argv, { env });
  return JSON.parse(stdout);
}

async function inspector() {
  const { tools } = await inspect('--method', 'tools/list');
  const names = tools.map(({ name }) => name).join(' ');
  expect(
    names,
    'test_simple_text test_error_handling test_tool_with_progress test_tool_with_logging json_schema_2020_12_tool',
  );
  const called = await inspect('--method', 'tools/call', '--tool-name', 'test_simple_text');
  expect(called.content[0].text.trimEnd(), 'This is a simple text response for testing.');
  const wrong = await inspect(
    '--method',
    'tools/call',
    '--tool-name',
    'test_simple_text',
    '--tool-arg',
    'x=1',
  );
  expect(String(wrong.isError), 'true');
  process.stdout.write('inspector: lists and calls\n');
}

function expect(found, wanted) {
  if (found !== wanted)
    throw new Error(`the inspector read ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}

try {
  await ourServer();
  await ourClient();
  await inspector();
} finally {
  rmSync(state, { recursive: true, force: true });
}
