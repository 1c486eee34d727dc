// A model's API in a process of its own, so that its work is not counted as ours. It calls the tool `work` until it
// has answered `turns` requests of a conversation, and tells its parent when the last byte of each reply was written.
import { createServer } from 'node:http';

const turns = Number(process.argv[2]);

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const results = body.toString('latin1').split('"tool_result"').length - 1;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const [first, last] = reply(results);
  response.write(first);
  setImmediate(() => {
    const at = String(process.hrtime.bigint());
    response.end(last);
    // Telling takes time of its own, which is not the reader's.
    process.send({ bytes: body.length, at });
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

function reply(results) {
  const call = { type: 'tool_use', id: `toolu_${results}`, name: 'work', input: {} };
  const block = results < turns ? call : { type: 'text', text: '' };
  const delta =
    results < turns
      ? { type: 'input_json_delta', partial_json: JSON.stringify({ n: results }) }
      : { type: 'text_delta', text: 'done' };
  const events = [
    { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return [events.slice(0, 2).join(''), events.slice(2).join('')];
}
