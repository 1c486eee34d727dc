import { describe, expect, it } from '@jest/globals';
import { CallIds } from '../../src/application/call-ids.js';
import type { Message } from '../../src/domain/message.js';

function calls(...ids: readonly string[]) {
  return ids.map((id) => ({ id, name: 'look', arguments: {} }));
}

function said(...ids: readonly string[]): Message {
  return { role: 'assistant', content: '', calls: calls(...ids) };
}

function idsOf(named: readonly { readonly id: string }[]): readonly string[] {
  return named.map(({ id }) => id);
}

describe('CallIds', () => {
  it('leaves calls as they are whose ids are new', () => {
    const own = calls('a', 'b');
    expect(new CallIds().name(own, { turn: 1, messages: [said('c')] })).toBe(own);
  });

  it('names calls that have no id, or one that their reply or the history has already', () => {
    const named = new CallIds().name(calls('', 'a', 'b', 'b'), { turn: 2, messages: [said('a')] });
    expect(idsOf(named)).toEqual(['call_2_1', 'call_2_2', 'b', 'call_2_4']);
  });

  it('finds another name where its own is taken', () => {
    const messages = [said('call_1_1', 'call_1_1_2')];
    expect(idsOf(new CallIds().name(calls(''), { turn: 1, messages }))).toEqual(['call_1_1_3']);
  });

  it('knows an id that has left the history, and one that came by another way', () => {
    const ids = new CallIds();
    const kept = said('b');
    ids.name(calls(), { turn: 1, messages: [said('a'), kept] });
    expect(idsOf(ids.name(calls('a', 'b', 'c'), { turn: 2, messages: [kept, said('c')] }))).toEqual([
      'call_2_1',
      'call_2_2',
      'call_2_3',
    ]);
  });

  it('reads each message of a growing history once', () => {
    const ids = new CallIds();
    let reads = 0;
    const messages: Message[] = [];
    for (let turn = 1; turn <= 100; turn += 1) {
      const role = (): string => {
        reads += 1;
        return 'assistant';
      };
      messages.push(Object.defineProperty(said(`c${turn}`), 'role', { get: role }));
      ids.name(calls(''), { turn, messages });
    }
    expect(reads).toBe(100);
  });
});
