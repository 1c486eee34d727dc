import { describe, expect, it } from '@jest/globals';
import { readFileTool, writeFileTool } from '../../../src/infrastructure/tools/file-tool.js';
import { contractSandbox, describeToolHandlerContract } from '../../contracts/tool-handler.contract.js';
import { FakeToolCalls, WORKSPACE } from '../../support/fake-tool-call.js';

describeToolHandlerContract('read_file', () => {
  const calls = new FakeToolCalls();
  calls.files.put(`${WORKSPACE}/a`, 'text');
  const handler = readFileTool();
  return { handler, arguments: { path: 'a' }, sandbox: contractSandbox(handler, calls) };
});

describeToolHandlerContract('write_file', () => {
  const handler = writeFileTool();
  return { handler, arguments: { path: 'a', content: 'x' }, sandbox: contractSandbox(handler) };
});

function withFile(content: string | Uint8Array): FakeToolCalls {
  const calls = new FakeToolCalls();
  calls.files.put(`${WORKSPACE}/f.txt`, content);
  return calls;
}

describe('readFileTool', () => {
  const read = (calls: FakeToolCalls, more = {}, maxOutputBytes = 100) =>
    calls.call(readFileTool(), { path: 'f.txt', ...more }, { maxOutputBytes });

  it('changes nothing and may be repeated', () => {
    expect(readFileTool('cat').tool).toMatchObject({ name: 'cat', sideEffects: 'none', idempotent: true });
  });

  it.each(['', 'one', 'one\ntwo\n', 'crlf\r\n', '\ufeffbom', 'käse 🧀'])(
    'gives %p byte for byte',
    async (text) => {
      const result = await read(withFile(text));
      expect(result).toMatchObject({ success: true, output: text, enforcement: { fsRead: 'in-process' } });
      expect(result.truncated).toBeUndefined();
    },
  );

  it.each([
    [{ offset: 2 }, 'two\nthree'],
    [{ offset: 2, limit: 1 }, 'two\n'],
    [{ limit: 2 }, 'one\ntwo\n'],
    [{ offset: 3, limit: 10 }, 'three'],
  ])('gives the lines that %p asks for', async (range, output) => {
    expect(await read(withFile('one\ntwo\nthree'), range)).toMatchObject({ success: true, output });
  });

  it('says how many lines there are when the offset is past them', async () => {
    const result = await read(withFile('one\ntwo\n'), { offset: 3 });
    expect(result).toMatchObject({
      success: false,
      output: 'offset 3 is past the end: the file has 2 lines',
    });
  });

  it('gives the first lines that fit, and where to read on', async () => {
    const lines = Array.from({ length: 50 }, (_, line) => `line ${line + 1}\n`).join('');
    const first = await read(withFile(lines));
    expect(first.output).toMatch(
      /^line 1\n.*line 13\n\[… lines 1 to 13; the file has 391 bytes; read on with offset 14 …\]$/s,
    );
    expect(first.truncated).toEqual({ totalBytes: 391, keptBytes: 95 });
    const next = await read(withFile(lines), { offset: 14 });
    expect(next.output).toMatch(/^line 14\n/);
  });

  it('cuts a line that is too long by itself, between two characters', async () => {
    const { output } = await read(withFile('é'.repeat(200)), {}, 101);
    expect(output).toBe(
      `${'é'.repeat(50)}\n[… line 1 is too long and is cut here; the file has 400 bytes; read on with offset 2 …]`,
    );
  });

  it('reads no more than it needs of a large file', async () => {
    const calls = withFile('x\n'.repeat(100_000));
    await read(calls);
    expect(calls.files.maxBytesAsked).toEqual([101]);
  });

  it('refuses a binary file, and one in UTF-16', async () => {
    expect((await read(withFile(Buffer.from([1, 0, 2])))).output).toContain('is a binary file');
    expect((await read(withFile(Buffer.from([0xff, 0xfe, 0x61, 0])))).output).toContain('is UTF-16');
  });

  it('says so when a text is not UTF-8', async () => {
    const { output, success } = await read(withFile(Buffer.from('caf\xe9', 'latin1')));
    expect(success).toBe(true);
    expect(output).toMatch(/^caf\ufffd\n\[this file is not UTF-8/);
  });

  it('refuses what lies outside', async () => {
    const calls = new FakeToolCalls();
    await expect(calls.call(readFileTool(), { path: '/etc/passwd' })).rejects.toThrow('outside');
  });

  it('refuses a file that leads elsewhere than when it was approved', async () => {
    const calls = withFile('public');
    calls.files.put(`${WORKSPACE}/secret`, 'secret');
    const swap = () => calls.files.links.set(`${WORKSPACE}/f.txt`, `${WORKSPACE}/secret`);
    const result = await calls.call(readFileTool(), { path: 'f.txt' }, { beforeRun: swap });
    expect(result.error?.code).toBe('EXECUTION.APPROVAL.STALE');
  });
});

describe('writeFileTool', () => {
  it('writes, and says what it wrote', async () => {
    const calls = new FakeToolCalls();
    const result = await calls.call(writeFileTool(), { path: 'src/x.ts', content: 'é' });
    expect(result).toMatchObject({ success: true, output: 'File written: src/x.ts (2 bytes)' });
    expect(calls.files.text(`${WORKSPACE}/src/x.ts`)).toBe('é');
  });

  it('appends', async () => {
    const calls = withFile('one\n');
    const args = { path: 'f.txt', content: 'two\n', mode: 'append' };
    const result = await calls.call(writeFileTool(), args);
    expect(result.output).toBe('File written: f.txt (4 bytes appended)');
    expect(calls.files.text(`${WORKSPACE}/f.txt`)).toBe('one\ntwo\n');
  });

  it('shows path, size and mode before it is approved', async () => {
    const calls = new FakeToolCalls();
    let action: unknown;
    const beforeRun = ({ plan }: { plan: { action: unknown } }) => {
      action = plan.action;
    };
    await calls.call(writeFileTool(), { path: 'a', content: 'abc' }, { beforeRun });
    expect(action).toEqual({ kind: 'write-file', path: `${WORKSPACE}/a`, bytes: 3, append: false });
  });

  it('is not repeated after a crash', () => {
    expect(writeFileTool().tool).toMatchObject({
      idempotent: false,
      destructive: true,
      sideEffects: 'local',
    });
  });

  it('refuses content that would change on its way to the disk', async () => {
    const calls = new FakeToolCalls();
    await expect(calls.call(writeFileTool(), { path: 'a', content: '\ud800' })).rejects.toThrow(
      'half a character',
    );
  });
});
