import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../src/domain/json.js';
import { SecretVault } from '../../../src/infrastructure/journal/secret-vault.js';

describe('SecretVault', () => {
  it('takes secrets out of texts and of keys, and puts them back', () => {
    const secrets = [
      { name: 'env.KEY', value: 'swordfish' },
      { name: 'env.LONG', value: 'a swordfish indeed' },
    ];
    const vault = new SecretVault(secrets, 'n0');
    const value: Json = {
      a_swordfish: [{ text: 'my swordfish', short: 'sword' }],
      other: 'a swordfish indeed',
    };
    const sealed = vault.seal(value);
    expect(JSON.stringify(sealed)).not.toContain('swordfish');
    expect(vault.unseal(sealed, () => '?')).toEqual(value);
  });
});
