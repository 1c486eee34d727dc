// toolparse beside the peers and the floor, in one run: `npm run bench:toolparse`. Runs are
// interleaved, processor time is what counts, and the best of each is printed; compare within one run only.
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { printImportTimes } from '../import/import-times.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const ours = process.env.TOOLPARSE ?? join(here, '../../dist/toolparse.js');
const { parseToolCalls, createToolCallStream } = await import(pathToFileURL(ours).href);
const peers = await loadPeers();

const CONTENT = 'The quick brown fox says "jump" over\nthe lazy dog; \\d+ <b>{x: 1}</b>. ';
const call = (index, length) => ({
  name: 'write_file',
  arguments: { path: `/src/file-${index}.ts`, content: CONTENT.repeat(Math.ceil(length / CONTENT.length)) },
});
const hermes = (calls) => calls.map((one) => `<tool_call>\n${JSON.stringify(one)}\n</tool_call>\n`).join('');
const CALLS = Array.from({ length: 100 }, (_, index) => call(index, 9500));
const TEXT = hermes(CALLS);
const ARRAY = JSON.stringify(CALLS);
const TOOLS = [
  {
    name: 'write_file',
    parameters: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
  },
];

console.log(
  `node ${process.version}, ${cpus().length} cores, ${(TEXT.length / 1e6).toFixed(2)} MB with 100 Hermes calls\n`,
);
await whole();
await streamed();
await prose();
longArgument();
printImportTimes({ toolparse: pathToFileURL(ours).href });

async function whole() {
  const contestants = {
    'floor: search + JSON.parse': () => floor(TEXT),
    'toolparse, tools declared': () => count(parseToolCalls(TEXT, { tools: TOOLS }).calls.length),
    'toolparse, no tools': () => count(parseToolCalls(TEXT).calls.length),
    ...(peers.hermes
      ? {
          '@ai-sdk-tool/parser': () =>
            count(
              peers
                .hermes()
                .parseGeneratedText({ text: TEXT, tools: peers.tools })
                .filter(({ type }) => type === 'tool-call').length,
            ),
        }
      : {}),
    ...(peers.jsonrepair ? { 'jsonrepair, the calls as one array': () => peers.jsonrepair(ARRAY) } : {}),
    ...(peers.partial ? { 'partial-json, the calls as one array': () => peers.partial(ARRAY) } : {}),
  };
  print('Whole text', await best(contestants, 40), TEXT.length);
}

async function streamed() {
  for (const size of [4096, 64, 16]) {
    const contestants = {
      'floor: search + JSON.parse of the whole': () => floor(TEXT),
      toolparse: () => count(readStream(TEXT, size)),
      ...(peers.hermes && size > 16 ? { '@ai-sdk-tool/parser': () => readPeer(TEXT, size) } : {}),
    };
    print(`Chunks of ${size} characters`, await best(contestants, 12), TEXT.length);
  }
}

/** What most of a reply is: text in which nothing opens. */
async function prose() {
  const text =
    'Most of what a model writes is prose, and nothing in it opens; it is only passed on.\n'.repeat(12_000);
  for (const size of [4096, 16]) {
    const contestants = {
      'floor: the pieces put together': () => readNothing(text, size),
      'toolparse, tools declared': () => readStream(text, size),
    };
    print(`Prose in chunks of ${size} characters`, await best(contestants, 15), text.length);
  }
}

/** Four times the length should take four times as long. */
function longArgument() {
  console.log('One long argument in single characters');
  for (const kilobytes of [128, 512]) {
    const text = hermes([call(0, kilobytes * 1000)]);
    const started = process.cpuUsage();
    readStream(text, 1);
    console.log(`  ${kilobytes} KB`.padEnd(44), `${cpuMs(started).toFixed(0)} ms`);
  }
  console.log();
}

function floor(text) {
  let calls = 0;
  for (let at = text.indexOf('<tool_call>'); at >= 0; at = text.indexOf('<tool_call>', at)) {
    const end = text.indexOf('</tool_call>', at);
    JSON.parse(text.slice(at + 11, end));
    at = end;
    calls += 1;
  }
  count(calls);
}

function readNothing(text, size) {
  const pieces = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces.join('').length;
}

function readStream(text, size) {
  const stream = createToolCallStream({ tools: TOOLS });
  for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
  return stream.end().calls.length;
}

async function readPeer(text, size) {
  const source = new ReadableStream({
    start(controller) {
      controller.enqueue({ type: 'text-start', id: '1' });
      for (let at = 0; at < text.length; at += size)
        controller.enqueue({ type: 'text-delta', id: '1', delta: text.slice(at, at + size) });
      controller.enqueue({ type: 'text-end', id: '1' });
      controller.enqueue({ type: 'finish', finishReason: 'stop', usage: {} });
      controller.close();
    },
  });
  let calls = 0;
  for await (const part of source.pipeThrough(peers.hermes().createStreamParser({ tools: peers.tools })))
    if (part.type === 'tool-call') calls += 1;
  count(calls);
}

function count(calls) {
  if (calls !== 100) throw new Error(`read ${calls} of 100 calls`);
}

async function best(contestants, rounds) {
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contestants)) {
      if (times[name] > 100 && round > 1 && Number.isFinite(times[name])) continue;
      const started = process.cpuUsage();
      await run();
      times[name] = Math.min(times[name], cpuMs(started));
    }
  }
  return times;
}

/** Time of this process alone: that of the clock is mostly other people's on a busy machine. */
function cpuMs(started) {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

function print(title, times, length) {
  console.log(`${title}: MB/s, and × the floor`);
  const [floorMs] = Object.values(times);
  for (const [name, ms] of Object.entries(times)) {
    const speed = (length / 1000 / ms).toFixed(ms > 100 ? 1 : 0);
    console.log(`  ${name}`.padEnd(44), speed.padStart(7), `${(ms / floorMs).toFixed(1)} ×`.padStart(10));
  }
  console.log();
}

/** The peers are installed by `npm ci --prefix bench`; one that is not there is left out. */
async function loadPeers() {
  const load = async (name) => {
    const known = existsSync(join(here, '../node_modules', name));
    return known ? import(name).catch(() => undefined) : undefined;
  };
  const [parser, repair, partial] = await Promise.all(
    ['@ai-sdk-tool/parser', 'jsonrepair', 'partial-json'].map(load),
  );
  const schema = { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } };
  return {
    hermes: parser?.hermesProtocol ?? parser?.jsonMixProtocol,
    tools: [{ type: 'function', name: 'write_file', inputSchema: schema }],
    jsonrepair: repair?.jsonrepair,
    partial: partial?.parse,
  };
}
