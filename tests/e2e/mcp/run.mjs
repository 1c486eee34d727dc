// MCP against programs that nobody here wrote: the conformance suite over HTTP, for our server and for our client, and
// the inspector's command line over standard input and output. Needs a build; fetches both the first time.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
async function ourClient(scenario) {
  const command = `${process.execPath} tests/e2e/mcp/client.mjs`;
  // A busy machine takes its time to start the programs; how long the suite waits proves nothing.
  await suite('client', '--command', command, '--scenario', scenario, '--timeout', '300000');
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
}

function expect(found, wanted) {
  if (found !== wanted)
    throw new Error(`the inspector read ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}

const CHECKS = {
  'our server: the conformance suite finds nothing else': ourServer,
  'our client: passes initialize': () => ourClient('initialize'),
  'our client: passes tools_call': () => ourClient('tools_call'),
  'our client: passes sse-retry': () => ourClient('sse-retry'),
  'inspector: lists and calls': inspector,
};

/** All of them, also when one fails; how many passed goes where `--outputFile=` says, as Jest would write it. */
async function runChecks() {
  let failed = 0;
  for (const [name, check] of Object.entries(CHECKS)) {
    const problem = await check().catch((error) => error);
    if (problem) failed += 1;
    process.stdout.write(problem ? `FAILED ${name}: ${problem.message}\n` : `${name}\n`);
  }
  const counts = { numPassedTests: Object.keys(CHECKS).length - failed, numFailedTests: failed };
  const [file] = process.argv.flatMap((word) => /^--outputFile=(.+)$/.exec(word)?.[1] ?? []);
  if (file) writeFileSync(file, JSON.stringify(counts));
  return failed;
}

try {
  process.exitCode = (await runChecks()) > 0 ? 1 : 0;
} finally {
  rmSync(state, { recursive: true, force: true });
}
