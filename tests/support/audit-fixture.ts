import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PreparedCall, TurnOutcome } from '../../src/domain/effect.js';
import { NOTHING_ENFORCED } from '../../src/domain/enforcement.js';
import type { JournalEntry, JournalRecord } from '../../src/domain/journal.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import type { ToolResult } from '../../src/domain/tool-result.js';

/** Numbers entries as a journal does: from one, a second apart. */
export function numbered(entries: readonly JournalEntry[]): JournalRecord[] {
  return entries.map((entry, index) => ({ ...entry, seq: index + 1, at: 1_000 * (index + 1) }));
}

export const RUN_STARTED: JournalEntry = {
  type: 'run-started',
  runId: 'run-1',
  workflow: { name: 'demo' },
  workflowHash: 'abc',
  inputs: { project: '.', api_key: 'k' },
  workspace: '/work',
  options: {},
  version: '0.1.0',
};

export function turnIntent(turn = 1): JournalEntry {
  const input = { turn, messages: 1, offerTools: true };
  return { type: 'intent', effects: [{ id: `s/${turn}/turn`, kind: 'turn', input }] };
}

export function turnOutcome(calls: readonly PreparedCall[], more: Partial<TurnOutcome> = {}): JournalEntry {
  const message = { role: 'assistant', content: 'hm', calls: [] };
  const value = { message, calls, at: 2_500, ...more } as unknown as Json;
  return { type: 'outcome', id: 's/1/turn', kind: 'turn', value };
}

export function runnable(id: string, args: JsonObject = {}, tool = 'shell'): PreparedCall {
  return { verdict: 'run', call: { id, tool, arguments: args }, planHash: 'h', approval: 'auto' };
}

export function callIntent(args: JsonObject = {}, index = 1, callId = `call_00${index}`): JournalEntry {
  const input = { callId, tool: 'shell', arguments: args, planHash: 'h', approval: 'auto' };
  return { type: 'intent', effects: [{ id: `s/1/${index}/call`, kind: 'call', input }] };
}

export function callOutcome(result: Partial<ToolResult> = {}, index = 1): JournalEntry {
  const whole = {
    success: true,
    output: 'ok',
    durationMs: 5,
    approval: 'auto',
    enforcement: NOTHING_ENFORCED,
  };
  const value = { result: { ...whole, ...result }, at: 3_000 } as unknown as Json;
  return { type: 'outcome', id: `s/1/${index}/call`, kind: 'call', value };
}

/** The lines of a trail as they are in the file. */
export function linesIn(folder: string): string[] {
  return readFileSync(join(folder, 'audit.jsonl'), 'utf8').split('\n').slice(0, -1);
}

export function eventsIn(folder: string): JsonObject[] {
  return linesIn(folder).map((line) => JSON.parse(line) as JsonObject);
}
