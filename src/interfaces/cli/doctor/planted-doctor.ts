import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isJsonObject, type Json } from '../../../domain/json.js';
import { DESCRIPTOR_TRIAL, PLANTED_DESCRIPTOR } from './descriptor-trial.js';
import { resultOfJson } from './doctor-json.js';
import { type TrialResult, untried } from './judge.js';
import type { Stage } from './stage.js';

/** Tells a doctor that a file was left open for it, and what is in it; such a doctor tries nothing else. */
export const PLANTED_VARIABLE = 'TOOLGATE_DOCTOR_PLANTED';

const PLANTED_MS = 30_000;

/**
 * Node closes its own files when it starts a process, but passes on what was open when it was started itself. So
 * that can only be tried by a doctor that is started with a file left open, as a careless parent would.
 */
export async function tryDescriptor(
  program: readonly string[] | undefined,
  { stage, signal }: { readonly stage: Stage; readonly signal: AbortSignal },
): Promise<TrialResult> {
  const [command, ...args] = program ?? [];
  if (command === undefined) return untried(DESCRIPTOR_TRIAL, 'only the installed command can try it');
  const file = join(stage.outside, 'left-open');
  writeFileSync(file, stage.secret);
  const descriptor = openSync(file, 'r');
  try {
    const between = Array.from({ length: PLANTED_DESCRIPTOR - 3 }, () => 'ignore' as const);
    const doctor = spawn(command, [...args, 'doctor', '--output-format', 'json'], {
      env: { ...process.env, [PLANTED_VARIABLE]: stage.secret },
      stdio: ['ignore', 'pipe', 'ignore', ...between, descriptor],
      timeout: PLANTED_MS,
      killSignal: 'SIGKILL',
    });
    doctor.on('error', () => undefined);
    // Asked, not killed: it has files of its own to remove.
    const stop = () => doctor.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    const output = doctor.stdout ? await text(doctor.stdout) : '';
    signal.removeEventListener('abort', stop);
    return readResult(output);
  } finally {
    closeSync(descriptor);
  }
}

function readResult(output: string): TrialResult {
  const failed = untried(DESCRIPTOR_TRIAL, 'the doctor that was to try it did not answer');
  try {
    const answer: Json = JSON.parse(output);
    const [first] = isJsonObject(answer) && Array.isArray(answer.escapes) ? (answer.escapes as Json[]) : [];
    return (isJsonObject(first) && resultOfJson(first)) || failed;
  } catch {
    return failed;
  }
}
