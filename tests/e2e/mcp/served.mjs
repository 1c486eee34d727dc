// `toolgate serve` for peers that cannot show a token: a door on loopback adds it, and changes nothing else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** Serves the workflow over HTTP; `url` needs no token. */
export async function serve({ cli, workflow, env }) {
  const child = spawn(process.execPath, [cli, 'serve', workflow, '--http', '0'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { url, token } = await addressOf(child);
  const door = await openDoor(new URL(url), token);
  return {
    url: `http://127.0.0.1:${door.address().port}${new URL(url).pathname}`,
    close: async () => {
      door.closeAllConnections();
      door.close();
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** What it says when it listens; if it ends instead, what it said. */
async function addressOf(child) {
  let said = '';
  for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
    said += chunk;
    const [, url, token] = /listening on (\S+)\ntoken: (\S+)/.exec(said) ?? [];
    if (!token) continue;
    child.stderr.on('data', (more) => process.stderr.write(more));
    return { url, token };
  }
  throw new Error(`toolgate serve ended: ${said}`);
}

async function openDoor({ hostname, port }, token) {
  const door = createServer((incoming, response) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const { method, url: path } = incoming;
    const outgoing = request({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  return door;
}
