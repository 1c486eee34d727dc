import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ProcessOutcome, SandboxPolicy } from '../../../src/ports/sandbox.js';
import { KernelFixture } from './kernel-fixture.js';

const EXCHANGE = process.arch === 'arm64' ? 276 : 316;
const PROBES = 60;
const LANES = 4;
/** bwrap itself fails where it finds half of a change; what it does not notice is found out afterwards. */
const REFUSED = /was exchanged for something else|could not be set up|strict does not hold/;

/** Has a folder with something protected in it, and a link to a folder outside, change places until it is told to stop. */
const flip = (outside: string) => `perl -e '
  ($a, $b) = ("sub", "alt"); mkdir "sub"; mkdir "sub/.vscode"; symlink("${outside}", "alt"); $end = time + 30;
  while (time < $end && !-e "stop") {
    syscall(${EXCHANGE}, -100, $a, -100, $b, 2);
    mkdir "sub/.vscode"; mkdir "alt/.vscode"; select(undef, undef, undef, 0.0007);
  }'`;

const PROBE = `perl -e '
  for $i (1..20) { for $d ("sub", "alt") {
    open($f, "<", "$d/SECRET") and print <$f>; open($g, ">", "$d/WRITTEN") and print $g "pwn";
  } }
  open($m, "<", "/proc/self/mountinfo"); print grep(/out/, <$m>); print "end"'`;

describe('a folder that is exchanged for a link while a sandbox is set up', () => {
  let fixture: KernelFixture;
  const prepare = (warm: number) => {
    fixture = new KernelFixture(warm);
    fixture.write('out/SECRET', 'TOP-SECRET');
  };
  afterEach(async () => {
    await fixture.sandbox.close();
    fixture.remove();
  });

  const attack = async (policy: SandboxPolicy) => {
    const flipping = fixture.shellWith(policy, flip(fixture.out));
    while (!existsSync(join(fixture.root, 'sub'))) await new Promise((resolve) => setTimeout(resolve, 5));
    // Not all at once: each has to look at the disk for itself.
    const lane = async () => {
      const ends: PromiseSettledResult<ProcessOutcome>[] = [];
      for (let index = 0; index < PROBES / LANES; index++)
        ends.push(...(await Promise.allSettled([fixture.shellWith(policy, PROBE)])));
      return ends;
    };
    const ends = (await Promise.all(Array.from({ length: LANES }, lane))).flat();
    writeFileSync(join(fixture.root, 'stop'), '');
    await flipping;
    return ends;
  };

  it.each([
    ['in a sandbox of its own', 0, false],
    ['in one that waited', 2, false],
    ['in a strict one', 0, true],
  ])(
    'is never shown to any of many calls, each %s',
    async (_, warm, strict) => {
      prepare(warm);
      const ends = await attack(fixture.workspacePolicy({ commands: strict ? ['perl'] : 'any', strict }));
      for (const end of ends) {
        if (end.status === 'rejected') expect(String(end.reason)).toMatch(REFUSED);
        else expect(end.value.output).not.toMatch(/TOP-SECRET|\/out/);
      }
      expect([fixture.has('out/WRITTEN'), fixture.read('out/SECRET')]).toEqual([false, 'TOP-SECRET']);
    },
    60_000,
  );

  it('leaves a sandbox alone in which everything is what it was', async () => {
    prepare(0);
    fixture.write('ws/sub/.vscode/tasks.json', '{}');
    const ends = await Promise.all(
      Array.from({ length: 8 }, () => fixture.shell('cat sub/.vscode/tasks.json')),
    );
    expect(ends.map(({ output }) => output)).toEqual(Array(8).fill('{}'));
  });
});
