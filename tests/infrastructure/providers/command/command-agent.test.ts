import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { CommandAgent } from '../../../../src/infrastructure/providers/command/command-agent.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const never = new AbortController().signal;
const hello = { messages: [{ role: 'user', content: 'Hello' }], tools: [], options: {} } as const;

function script(text: string, { timeoutMs = 60_000, args = [] as readonly string[] } = {}): CommandAgent {
  return new CommandAgent({ command: { kind: 'script', script: text, args }, timeoutMs });
}

function node(code: string, timeoutMs = 60_000): CommandAgent {
  const argv = [process.execPath, '-e', code];
  return new CommandAgent({ command: { kind: 'argv', argv }, timeoutMs });
}

describe('CommandAgent', () => {
  it('gives the prompt on stdin and takes the answer from stdout', async () => {
    const { message } = await script('cat').complete(hello, { signal: never });
    expect(message).toMatchObject({ role: 'assistant', calls: [] });
    expect(message.content).toContain('<message from="user">\nHello\n</message>');
  });

  it('knows nothing of tools, and says so', () => {
    expect(script('cat').toolProtocol).toBe('none');
  });

  it('shows the answer as it comes, as plain text', async () => {
    const deltas: string[] = [];
    const agent = script(`printf '\\033[31mred\\033[0m'; sleep 0.3; printf ' and blue\\n'`);
    const onText = (delta: string) => deltas.push(delta);
    const { message } = await agent.complete(hello, { signal: never, onText });
    expect(message.content).toBe('red and blue');
    expect(deltas.join('')).toBe('red and blue\n');
    expect(deltas.length).toBeGreaterThan(1);
  });

  it('puts characters together that come in pieces', async () => {
    const agent = script(`printf '\\303'; sleep 0.2; printf '\\274ber'`);
    const { message } = await agent.complete(hello, { signal: never });
    expect(message.content).toBe('über');
  });

  it('fails with the end of what the program said on stderr, without its secrets', async () => {
    const key = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
    const agent = script(`printf '\\033[1mno model\\033[0m, key %s\\n' "$1" >&2; exit 3`, { args: [key] });
    const failed = agent.complete(hello, { signal: never });
    await expect(failed).rejects.toMatchObject({ code: 'EXECUTION.PROVIDER.FAILED' });
    await expect(failed).rejects.toThrow(/"sh" ended with exit code 3\. It said:\nno model, key /);
    await expect(failed).rejects.not.toThrow(key);
  });

  it('keeps little of a program that complains without end', async () => {
    const agent = node('process.stderr.write("x".repeat(3e6) + "the end"); process.exitCode = 1');
    const error: unknown = await agent.complete(hello, { signal: never }).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('the end');
    expect(String(error).length).toBeLessThan(5_000);
  });

  it('does not mind a program that reads nothing of a long prompt', async () => {
    const content = 'x'.repeat(4_000_000);
    const request = { ...hello, messages: [{ role: 'user', content }] } as const;
    const { message } = await script('echo fine').complete(request, { signal: never });
    expect(message.content).toBe('fine');
  });

  it('ends a program that writes without end', async () => {
    await expect(script('yes').complete(hello, { signal: never })).rejects.toThrow(
      /wrote more than 16777216/,
    );
  });

  it('ends a program that takes too long', async () => {
    const failed = script('echo thinking >&2; sleep 600', { timeoutMs: 300 }).complete(hello, {
      signal: never,
    });
    await expect(failed).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.TIMEOUT',
      message: expect.stringContaining('still running after 0.3 s'),
    });
  });

  it('ends all that the program started when it is told to stop', async () => {
    const folder = temporaryFolder();
    const pidFile = join(folder, 'pid');
    const controller = new AbortController();
    const agent = script(`trap '' TERM; sh -c 'trap "" TERM; echo $$ > "$0"; sleep 600' "$1"`, {
      args: [pidFile],
    });
    const asked = agent.complete(hello, { signal: controller.signal });
    while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') await delay(10);
    controller.abort(new Error('stopped'));
    await expect(asked).rejects.toThrow('stopped');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    while (isAlive(pid)) await delay(10);
  });

  it('is not held up by what a program leaves behind', async () => {
    const { message } = await script('sleep 600 & echo done').complete(hello, { signal: never });
    expect(message.content).toBe('done');
  });

  it('is not begun once it is told to stop', async () => {
    const file = join(temporaryFolder(), 'ran');
    const agent = script('touch "$1"', { args: [file] });
    await expect(agent.complete(hello, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ['no-such-model', 'it is in no folder of PATH'],
    ['./no/such/model', 'there is no such program'],
  ])('says at once that %s is not there', (program, problem) => {
    const command = { kind: 'argv', argv: [program, 'run'] } as const;
    expect(() => new CommandAgent({ command, timeoutMs: 1000 })).toThrow(problem);
  });

  it('takes no file for a program that cannot be run', () => {
    const file = join(temporaryFolder(), 'model');
    writeFileSync(file, 'not a program');
    const command = { kind: 'argv', argv: [file] } as const;
    expect(() => new CommandAgent({ command, timeoutMs: 1000 })).toThrow('there is no such program');
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
