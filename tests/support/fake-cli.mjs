#!/usr/bin/env node
// An AI command line as small as can be: it does what FAKE_CLI says, one thing after the other, and speaks as Claude
// Code does. `call` makes a real call over MCP, by the server that it was given.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const args = process.argv.slice(2);
if (args.includes('--version')) {
  console.log(process.env.FAKE_CLI_VERSION ?? '2.1.197 (Claude Code)');
  process.exit(0);
}
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const text = (words) =>
  say({ type: 'assistant', message: { id: words, content: [{ type: 'text', text: words }] } });
const done = (result) => say({ type: 'result', subtype: 'success', is_error: false, result, usage: {} });
let prompt = '';
for await (const chunk of process.stdin) prompt += chunk;
const session = args.includes('--resume') ? args[args.indexOf('--resume') + 1] : 'session-1';
const config = args[args.indexOf('--mcp-config') + 1];
const { mcpServers } = JSON.parse(readFileSync(config, 'utf8'));
// As the real ones do, it reads which tools it has before its model says a word; unless it is in a hurry.
const client = new Client({ name: 'fake', version: '1' });
const isInHurry = process.env.FAKE_CLI_SERVER !== undefined;
if (mcpServers.toolgate && !isInHurry) {
  await client.connect(new StdioClientTransport({ ...mcpServers.toolgate, env: process.env }));
  await client.listTools();
}
say({
  type: 'system',
  subtype: 'init',
  session_id: session,
  mcp_servers: [{ name: 'toolgate', status: process.env.FAKE_CLI_SERVER ?? 'connected' }],
  tools: ['Bash'].slice(Number(process.env.FAKE_CLI_TOOLS ?? 1)),
});

async function call(name, toolArguments) {
  const { content } = await client.callTool({ name, arguments: toolArguments });
  return content[0].text;
}

const actions = {
  line: (line) => say(line),
  raw: (words) => process.stdout.write(words),
  complain: (words) => process.stderr.write(words),
  text,
  call: async ([name, toolArguments]) => text(await call(name, toolArguments)),
  bypass: (input) =>
    say({ type: 'assistant', message: { id: 'b', content: [{ type: 'tool_use', name: 'Bash', input }] } }),
  where: () => text(config),
  prompt: () => text(`${session}: ${prompt}`),
  hang: () => new Promise((resolve) => setTimeout(resolve, 2 ** 30)),
  // Reads the answer and says nothing of it.
  ask: async ([name, toolArguments]) => void (await call(name, toolArguments)),
  // Has something to say still when it is told to end.
  parting: (words) => process.on('SIGTERM', () => text(words)),
  stubborn: () => process.on('SIGTERM', () => undefined),
  done,
  exit: (code) => process.exit(code),
};
for (const [name, value] of JSON.parse(process.env.FAKE_CLI ?? '[]')) await actions[name](value);
process.exit(0);
