import { describe, expect, it } from '@jest/globals';
import { ScriptedUserInput } from '../../src/testing/scripted-user-input.js';

describe('ScriptedUserInput', () => {
  it('says its lines, then nothing, and knows what it was asked', async () => {
    const user = new ScriptedUserInput(['one', 'two']);
    const { signal } = new AbortController();
    const said: (string | undefined)[] = [];
    for (const turn of [1, 2, 3]) said.push(await user.read({ step: 'talk', turn }, { signal }));
    expect(said).toEqual(['one', 'two', undefined]);
    expect(user.requests.map(({ turn }) => turn)).toEqual([1, 2, 3]);
    await expect(user.read({ step: 'talk', turn: 4 }, { signal: AbortSignal.abort() })).rejects.toThrow();
  });
});
