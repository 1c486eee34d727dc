import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import type { Usage } from '../../domain/message.js';
import type { Expectation, ExpectedResult, Script, ScriptedCall, ScriptedReply } from './script.js';
import type { ScriptReader } from './script-reader.js';

/** Reads a parsed file into a script; every problem is noted with the reader, and what is wrong is left out. */
export function readScript(reader: ScriptReader, value: Json, file: string): Script {
  const top = reader.object([], value, ['tool_protocol', 'replies', 'steps']);
  const toolProtocol = reader.choice(['tool_protocol'], top.tool_protocol, ['native', 'text']) ?? 'native';
  const read = (path: Path, list: Json | undefined) => readReplies(reader, path, list, toolProtocol);
  if (top.replies === undefined && top.steps === undefined) {
    reader.problem([], 'needs "replies" (or "steps")');
  }
  const steps = Object.entries(reader.optionalObject(['steps'], top.steps)).map(([name, step]) => {
    const { replies } = reader.object(['steps', name], step, ['replies']);
    return [name, read(['steps', name, 'replies'], replies ?? null)] as const;
  });
  return { file, toolProtocol, replies: read(['replies'], top.replies), steps: new Map(steps) };
}

type Path = readonly (string | number)[];

const REPLY_KEYS = ['expect', 'text', 'tool_calls', 'usage', 'error', 'delay'];

function readReplies(
  reader: ScriptReader,
  path: Path,
  value: Json | undefined,
  protocol: Script['toolProtocol'],
): readonly ScriptedReply[] {
  return reader.list(path, value).map((item, index) => {
    const at = [...path, index];
    const reply = reader.object(at, item, REPLY_KEYS);
    if (!('text' in reply || 'tool_calls' in reply || 'error' in reply)) {
      reader.problem(at, 'needs "text", "tool_calls" or "error"');
    }
    if (protocol === 'text' && reply.tool_calls !== undefined) {
      reader.problem([...at, 'tool_calls'], 'write the calls into "text": tool_protocol is text');
    }
    return readReply(reader, at, reply);
  });
}

function readReply(reader: ScriptReader, at: Path, reply: JsonObject): ScriptedReply {
  const { expect, usage, error } = reply;
  const message = reader.object([...at, 'error'], error ?? {}, ['message']).message;
  return {
    text: reader.text([...at, 'text'], reply.text) ?? '',
    calls: reader
      .list([...at, 'tool_calls'], reply.tool_calls)
      .map((call, index) => readCall(reader, [...at, 'tool_calls', index], call)),
    delayMs: reader.duration([...at, 'delay'], reply.delay) ?? 0,
    ...(expect === undefined ? {} : { expect: readExpectation(reader, [...at, 'expect'], expect) }),
    ...(usage === undefined ? {} : { usage: readUsage(reader, [...at, 'usage'], usage) }),
    ...(error === undefined
      ? {}
      : { error: reader.text([...at, 'error', 'message'], message ?? null) ?? '' }),
  };
}

function readCall(reader: ScriptReader, at: Path, value: Json): ScriptedCall {
  const call = reader.object(at, value, ['id', 'name', 'arguments']);
  const id = reader.text([...at, 'id'], call.id);
  const name = reader.text([...at, 'name'], call.name ?? null) ?? '';
  return { ...(id === undefined ? {} : { id }), name, arguments: call.arguments ?? {} };
}

function readExpectation(reader: ScriptReader, at: Path, value: Json): Expectation {
  const { contains, tool_results: results } = reader.object(at, value, ['contains', 'tool_results']);
  const found = { contains: reader.texts([...at, 'contains'], contains) };
  if (results === undefined) return found;
  const path = [...at, 'tool_results'];
  const toolResults = reader
    .list(path, results)
    .map((result, index) => readResult(reader, [...path, index], result));
  return { ...found, toolResults };
}

function readResult(reader: ScriptReader, at: Path, value: Json): ExpectedResult {
  const result = reader.object(at, value, ['tool', 'contains', 'is_error']);
  const tool = reader.text([...at, 'tool'], result.tool);
  const isError = reader.flag([...at, 'is_error'], result.is_error);
  return {
    contains: reader.texts([...at, 'contains'], result.contains),
    ...(tool === undefined ? {} : { tool }),
    ...(isError === undefined ? {} : { isError }),
  };
}

function readUsage(reader: ScriptReader, at: Path, value: Json): Usage {
  const usage = reader.object(at, value, ['input_tokens', 'output_tokens', 'cost_usd']);
  const amount = (key: string) => reader.amount([...at, key], usage[key]);
  const costUsd = amount('cost_usd');
  return {
    inputTokens: amount('input_tokens') ?? 0,
    outputTokens: amount('output_tokens') ?? 0,
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

/** Whether a value from a YAML file is what JSON can hold: no `.inf` and no `.nan`. */
export function isJson(value: unknown): value is Json {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (Array.isArray(value)) return value.every(isJson);
  return isJsonObject(value) && Object.values(value).every(isJson);
}
