import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ProviderRegistry } from '../../../src/infrastructure/providers/provider-registry.js';
import { ScriptedAgent } from '../../../src/testing/scripted-agent.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const UNKNOWN = { code: 'WORKFLOW.PROVIDER.UNKNOWN' };

describe('ProviderRegistry', () => {
  it('makes a scripted provider from a file', async () => {
    const script = join(temporaryFolder(), 'script.yaml');
    writeFileSync(script, 'replies: [{ text: one }, { text: two }]');
    const provider = await new ProviderRegistry().create('scripted', { script, script_offset: 1 });
    const { signal } = new AbortController();
    const reply = await provider.complete({ messages: [], tools: [], options: {} }, { signal });
    expect(reply.message.content).toBe('two');
  });

  it.each([{}, { script: '' }, { script: 7 }])('says that a script is missing from %j', async (options) => {
    await expect(new ProviderRegistry().create('scripted', options)).rejects.toMatchObject({
      code: 'USER.ARGUMENT.INVALID',
      message: expect.stringContaining('--script FILE'),
    });
  });

  it.each(['cloud', '', '__proto__', 'constructor', 'toString'])(
    'does not know %j, and says what there is',
    async (name) => {
      const made = new ProviderRegistry({ providers: { mine: () => new ScriptedAgent([]) } }).create(
        name,
        {},
      );
      await expect(made).rejects.toMatchObject(UNKNOWN);
      await expect(made).rejects.toThrow(
        '(there are: anthropic, google, mine, ollama, openai, openai_compatible, scripted)',
      );
    },
  );

  it("makes the host program's providers with the step's options, also in place of its own", async () => {
    const agent = new ScriptedAgent([]);
    const seen: unknown[] = [];
    const make = async (options: object) => {
      seen.push(options);
      return agent;
    };
    const registry = new ProviderRegistry({ providers: { claude: make, scripted: make } });
    expect(await registry.create('claude', { model: 'm' })).toBe(agent);
    expect(await registry.create('scripted', {})).toBe(agent);
    expect(seen).toEqual([{ model: 'm' }, {}]);
  });
});
