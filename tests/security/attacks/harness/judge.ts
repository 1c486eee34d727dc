import { readFileSync } from 'node:fs';
import { assertionProblems } from './assertions.js';
import type { AttackCase, Must } from './attack-case.js';
import { type Evidence, failureOf, isRefused, lastCall, toldText } from './evidence.js';
import { literalProblem } from './literal.js';
import { displayProblem, isAboutDisplay } from './screen.js';
import { trailProblem } from './trail.js';
import { toolNameOf } from './workflow-of.js';
import type { World } from './world.js';

type Verdict = string | undefined;

/** Everything about an attack that is not as it must be; nothing when the gate held. */
export function judge(kase: AttackCase, evidence: Evidence, world: World): readonly string[] {
  const problems = [
    RULES[kase.must](kase, evidence),
    ...alwaysProblems(kase, evidence),
    ...assertionProblems(kase, evidence, world),
  ];
  return problems.filter((problem) => problem !== undefined);
}

const RULES: Readonly<Record<Must, (kase: AttackCase, evidence: Evidence) => Verdict>> = {
  deny: denyProblem,
  contain: (kase, evidence) => unanswered(evidence) ?? loggedProblem(kase, evidence),
  error: errorProblem,
  allow: allowProblem,
  prompt: promptProblem,
  literal: literalProblem,
  sanitize: (kase, evidence) =>
    isAboutDisplay(kase) ? displayProblem(kase, evidence) : trailProblem(kase, evidence),
};

/** Whatever a case is about: one answer for each call, no crash, nothing loose, nothing changed outside, nothing told. */
function alwaysProblems(kase: AttackCase, evidence: Evidence): readonly Verdict[] {
  const { harm, calls } = evidence;
  return [
    harm.length > 0 ? `changed outside: ${harm.join(', ')}` : undefined,
    failureOf(evidence)?.code === 'SYSTEM.INTERNAL.BUG' ? 'it ended in a bug' : undefined,
    calls.some(({ result }) => result.success === (result.error !== undefined)) ? 'an odd result' : undefined,
    looseness(kase, evidence),
    leak(kase, evidence),
    pollution(),
  ];
}

/** Where the kernel is meant to hold, it holds every process, and the result says so. */
function looseness({ must }: AttackCase, evidence: Evidence): Verdict {
  const { heldBy, started } = evidence;
  if (heldBy !== 'kernel' || started.length === 0) return undefined;
  if (started.some(({ confined }) => !confined)) return 'it ran without the kernel layer';
  const held = lastCall(evidence)?.result.enforcement.fsWrite;
  return must === 'contain' && held !== 'kernel' ? `the kernel did not hold it: ${held}` : undefined;
}

/** Names that a process has with values of its own. */
const OWN_VARIABLES = /^(?:PATH|HOME|LANG|TERM|TMPDIR|PWD|SHLVL|_)=/;

/** A variable that this process was really started with: what the tests set later is in no table of the kernel's. */
function leak({ policy }: AttackCase, evidence: Evidence): Verdict {
  if (policy.env !== 'default') return undefined;
  const entries = readFileSync('/proc/self/environ', 'latin1').split('\0');
  const told = toldText(evidence);
  const leaked = entries.find(
    (entry) => entry.length > 8 && !OWN_VARIABLES.test(entry) && told.includes(entry),
  );
  return leaked === undefined ? undefined : `a variable of the host: ${leaked.split('=')[0]}`;
}

function pollution(): Verdict {
  const names = Object.keys(Object.prototype);
  return names.length > 0 ? `every object has a ${names.join()}` : undefined;
}

/** A command that is held so that its assertion holds is as good as refused; with nothing to hold it must be refused. */
function denyProblem(kase: AttackCase, evidence: Evidence): Verdict {
  const isHeld = isCommand(kase) && Object.keys(kase.assert).some((kind) => kind !== 'decision');
  if (isRefused(evidence) || isHeld || kase.assert.repeat !== undefined) return unanswered(evidence);
  const isMissing = failureOf(evidence)?.code === 'SYSTEM.IO.READ_FAILED';
  return isMissing && kase.area === 'path' ? undefined : 'not refused';
}

function isCommand(kase: AttackCase): boolean {
  return ['shell', 'custom'].includes(toolNameOf(kase)) && kase.area !== 'approval';
}

/** What a program says of its own, as grep does with 1 where it finds nothing, is no refusal. */
function allowProblem(kase: AttackCase, evidence: Evidence): Verdict {
  const failure = failureOf(evidence);
  const isRun = isCommand(kase) && failure?.code === 'EXECUTION.TOOL.EXIT_CODE';
  // Nobody is at the other end; that the gate let it go there is what counts.
  const isSent = toolNameOf(kase) === 'http_request' && evidence.connections.length > 0;
  if ((isSent && !isRefused(evidence)) || (isRun && !/12[67]$/.test(failure.message))) return undefined;
  return failure && `refused: ${failure.code} ${failure.message}`;
}

/** Asked, or refused without asking; never run unasked. */
function promptProblem(_kase: AttackCase, evidence: Evidence): Verdict {
  const { calls, asked, performed } = evidence;
  if (performed.includes(lastCall(evidence)?.id ?? '')) return 'it was run without a yes';
  return asked.length >= calls.length || isRefused(evidence) ? undefined : 'nobody was asked';
}

/** Mistakes in a file, in arguments or in a template are found before anybody is asked and before anything runs. */
function errorProblem({ area }: AttackCase, evidence: Evidence): Verdict {
  const isFoundBefore = ['args', 'yaml', 'template'].includes(area);
  const wentOn = evidence.asked.length + evidence.performed.length > 0;
  if (isFoundBefore && wentOn) return 'it went on to approval, or was run';
  // A reply in which no call was found did nothing, and there is nobody to tell.
  const isQuiet = area === 'args' && evidence.calls.length === 0;
  return failureOf(evidence) || isQuiet ? slowness(evidence) : 'no error';
}

function unanswered({ calls, failure }: Evidence): Verdict {
  return calls.length === 0 && !failure ? 'no answer' : undefined;
}

/** Where a case is about the record of a refusal, there must have been one, and it must say why. */
function loggedProblem(kase: AttackCase, evidence: Evidence): Verdict {
  if (kase.area !== 'log') return undefined;
  return isRefused(evidence) ? trailProblem(kase, evidence) : 'it was not denied';
}

const SOON_MS = 2000;

function slowness({ ms }: Evidence): Verdict {
  return ms > SOON_MS ? `an error after ${Math.round(ms)} ms` : undefined;
}
