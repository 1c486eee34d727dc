import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { messageOf, ToolgateError } from '../../../domain/errors.js';
import { isJsonObject } from '../../../domain/json.js';
import {
  HEADER,
  type RecordedExchange,
  type RecordedLine,
  type RecordedRequest,
} from './recorded-exchange.js';
import { comparable } from './request-json.js';

/** Reads a recording. A last line that a crash has torn is as if it had never been written. */
export async function readRecording(file: string): Promise<ReadonlyMap<number, RecordedExchange>> {
  assertPlainFile(file);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const message = `The recording ${file} cannot be read: ${messageOf(cause)}`;
    throw new ToolgateError('USER.FILE.NOT_FOUND', message, { cause });
  });
  const [header = '', ...lines] = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
  assertHeader(header, file);
  const exchanges = new Map<number, RecordedExchange>();
  let before: RecordedRequest = { messages: [], tools: '[]', options: '{}' };
  for (const [index, line] of lines.entries()) {
    const exchange = readLine(line, before, `${file}:${index + 2}`);
    before = exchange.request;
    // What was asked again after a crash was answered by the later line.
    exchanges.set(exchange.n, exchange);
  }
  return exchanges;
}

/** Throws for what is there and is not a file: a pipe would be waited for, and a device changed. Else whether it is there. */
export function assertPlainFile(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found || found.isFile()) return found !== undefined;
  throw invalid(`${file} is not a file; a recording needs one`);
}

/** Throws unless this is the first line of a recording that this version reads. */
export function assertHeader(line: string, file: string): void {
  const header = parsed(line);
  if (!isJsonObject(header) || header.type !== HEADER.type) {
    throw invalid(`${file} is not a recording: its first line should be ${JSON.stringify(HEADER)}`);
  }
  if (header.version !== HEADER.version) {
    const found = JSON.stringify(header.version);
    throw invalid(
      `${file} is a recording of version ${found}; this toolgate reads version ${HEADER.version}`,
    );
  }
}

function readLine(text: string, before: RecordedRequest, place: string): RecordedExchange {
  const line = parsed(text);
  if (!isLine(line)) throw invalid(`${place}: this line is not a recorded request; record the run again`);
  const { same_messages: same, messages, tools, options } = line.request;
  if (same > before.messages.length) {
    throw invalid(`${place}: the ${same} messages of the line before are not there; record the run again`);
  }
  const request = {
    messages: [...before.messages.slice(0, same), ...messages.map((message) => JSON.stringify(message))],
    tools: tools ? JSON.stringify(tools) : before.tools,
    options: options ? JSON.stringify(comparable(options)) : before.options,
  };
  return { ...line, request };
}

function isLine(value: unknown): value is RecordedLine {
  if (!isJsonObject(value) || !isJsonObject(value.request) || !isJsonObject(value.reply)) return false;
  const { request, reply } = value;
  const isReply = isJsonObject(reply.failure) || (typeof reply.text === 'string' && isList(reply.tool_calls));
  const isCount = Number.isSafeInteger(request.same_messages) && Number(request.same_messages) >= 0;
  return isReply && isCount && isList(request.messages) && Number.isSafeInteger(value.n);
}

function isList(value: unknown): boolean {
  return Array.isArray(value);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function invalid(message: string): ToolgateError {
  return new ToolgateError('USER.RECORDING.INVALID', message);
}
