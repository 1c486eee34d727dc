import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { TerminalUserInput } from '../../../src/infrastructure/conversation/terminal-user-input.js';

const REQUEST = { step: 'talk', turn: 1 };

function terminal(isTTY = false) {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY });
  const user = new TerminalUserInput({ input, output });
  const controller = new AbortController();
  return { input, output, controller, read: () => user.read(REQUEST, { signal: controller.signal }) };
}

describe('TerminalUserInput', () => {
  it('gives a line a question, also when they came together', async () => {
    const { input, read } = terminal();
    input.write('one\r\ntw');
    expect(await read()).toBe('one');
    input.write('o\nthree');
    expect(await read()).toBe('two');
    input.end();
    expect(await read()).toBe('three');
    expect(await read()).toBeUndefined();
    expect(await read()).toBeUndefined();
  });

  it('keeps an empty line and letters that arrive in halves', async () => {
    const { input, read } = terminal();
    const bytes = Buffer.from('\nüber\n');
    input.write(bytes.subarray(0, 2));
    expect(await read()).toBe('');
    const reading = read();
    input.write(bytes.subarray(2));
    expect(await reading).toBe('über');
  });

  it('asks on a terminal only', async () => {
    for (const isTTY of [true, false]) {
      const { input, output, read } = terminal(isTTY);
      input.end('x\n');
      await read();
      expect(output.read()?.toString() ?? '').toBe(isTTY ? '> ' : '');
    }
  });

  it('stops waiting when the run does, and leaves the input as it was', async () => {
    const { input, controller, read } = terminal();
    const reading = read();
    controller.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
    expect(input.listenerCount('data')).toBe(0);
    expect(input.isPaused()).toBe(true);
    await expect(read()).rejects.toThrow('stopped');
  });

  it('takes an input that is closed, or breaks, for the end', async () => {
    const closed = terminal();
    closed.input.destroy();
    expect(await closed.read()).toBeUndefined();
    const broken = terminal();
    const reading = broken.read();
    broken.input.destroy(new Error('EIO'));
    expect(await reading).toBeUndefined();
  });

  it('passes on a line without an end in pieces', async () => {
    const { input, read } = terminal();
    input.end('x'.repeat(2_500_000));
    const lengths = [(await read())?.length, (await read())?.length, (await read())?.length, await read()];
    expect(lengths).toEqual([1_048_576, 1_048_576, 402_848, undefined]);
  });
});
