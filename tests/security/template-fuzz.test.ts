import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type CommandTemplate,
  compileCommandTemplate,
} from '../../src/infrastructure/tools/template/command-template.js';
import type { ProcessCommand } from '../../src/ports/sandbox.js';

const FRAGMENTS = (
  '{{args.x}} {{args.x}} {{args.x}} echo printf true \' " \\ $ ( ) { } [ ] ; | & && || \n # ` $( ${ $(( )) < > = X= ' +
  'eval sh -c bash env exec command ! if then fi while do done for in case esac ;; test [[ ]] set $1 "$@" * ~ a : ' +
  ':- awk sed cat xargs trap EXIT read $v f() export declare let -v unset . /dev/stdin - -- -s -eq 2>&1 >&2 %d wait'
).split(' ');

const template = fc
  .array(fc.tuple(fc.constantFrom(...FRAGMENTS), fc.constantFrom('', ' ', ' ')), {
    minLength: 2,
    maxLength: 9,
  })
  .map((parts) => `echo ${parts.flat().join('')}`)
  .filter((text) => text.includes('{{'));

const payload = fc.constantFrom(
  '$(touch pwned)',
  ';touch pwned;',
  "';touch pwned;'",
  '";touch pwned;"',
  '`touch pwned`',
  'a[$(touch pwned)]',
  'touch pwned',
  '\ntouch pwned\n',
  '|touch pwned',
);

const parameters = { properties: { x: { type: 'string' } }, required: ['x'] };

function compiled(text: string): CommandTemplate | undefined {
  try {
    return compileCommandTemplate(text, { parameters, inputs: {}, env: {}, allowDash: ['x'] });
  } catch {
    return undefined;
  }
}

function leavesMarker(command: ProcessCommand): boolean {
  const [program = '', ...args] =
    command.kind === 'script'
      ? ['/bin/sh', '-c', command.script, 'sh', ...command.args]
      : ((command as { argv?: readonly string[] }).argv ?? []);
  const cwd = mkdtempSync(join(tmpdir(), 'toolgate-fuzz-'));
  try {
    spawnSync(program, args, { cwd, timeout: 2000, stdio: 'ignore' });
    return existsSync(join(cwd, 'pwned'));
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

describe('any template', () => {
  it('is refused, or never runs a value', () => {
    let accepted = 0;
    fc.assert(
      fc.property(template, payload, (text, x) => {
        const filled = compiled(text)?.fill({ x });
        if (!filled) return;
        accepted++;
        expect({ text, x, ran: leavesMarker(filled) }).toEqual({ text, x, ran: false });
      }),
      { numRuns: 400 },
    );
    expect(accepted).toBeGreaterThan(20);
  });
});
