import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BinaryResolver } from '../../../../src/infrastructure/sandbox/binary-resolver.js';
import { programsOf } from '../../../../src/infrastructure/sandbox/bubblewrap/programs.js';
import { Fixture } from '../fixture.js';

describe('programsOf', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = new Fixture();
    mkdirSync(join(fixture.base, 'home'));
  });
  afterEach(() => fixture.remove());

  const programs = (...commands: string[]) => {
    const policy = fixture.policy({ commands });
    const found = programsOf(policy, BinaryResolver.for(policy), join(fixture.base, 'home'));
    return found
      .filter((path) => path.startsWith(fixture.base))
      .map((path) => path.slice(fixture.base.length + 1));
  };

  it('is the program alone where its folder holds other things too', () => {
    const near = fixture.script('home/.local/bin/tool', 'true');
    mkdirSync(join(fixture.base, 'home/.local/lib'));
    const plain = fixture.script('somewhere/tool2', 'true');
    expect(programs(near, plain)).toEqual(['home/.local/bin/tool', 'somewhere/tool2']);
  });

  it('is the whole installation of a version manager', () => {
    const tool = fixture.script('home/.tools/versions/3/bin/tool', 'true');
    mkdirSync(join(fixture.base, 'home/.tools/versions/3/lib'));
    expect(programs(tool)).toEqual(['home/.tools/versions/3', 'home/.tools/versions/3/bin/tool']);
  });

  it('is nothing for programs of the system', () => {
    expect(programs('ls', 'sh')).toEqual([]);
  });
});
