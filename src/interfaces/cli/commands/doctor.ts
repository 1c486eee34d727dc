import type { Command } from 'commander';
import { createContainer } from '../../../container.js';
import { toVisible } from '../../../domain/visible-text.js';
import type { Sandbox } from '../../../ports/sandbox.js';
import { TOKENS } from '../../../ports/tokens.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import { adviceFor } from '../doctor/advice.js';
import { descriptorTrial } from '../doctor/descriptor-trial.js';
import { doctorToJson } from '../doctor/doctor-json.js';
import { type DoctorReport, doctorReport } from '../doctor/doctor-report.js';
import { doctorText } from '../doctor/doctor-text.js';
import { FILE_TRIALS } from '../doctor/file-trials.js';
import type { TrialResult } from '../doctor/judge.js';
import { LIMIT_TRIALS } from '../doctor/limit-trials.js';
import { NETWORK_TRIALS } from '../doctor/network-trials.js';
import { PLANTED_VARIABLE, tryDescriptor } from '../doctor/planted-doctor.js';
import { PROCESS_TRIALS } from '../doctor/process-trials.js';
import { runTrials, type Scene } from '../doctor/run-trials.js';
import { Stage } from '../doctor/stage.js';
import { EXIT } from '../exit-code.js';
import { addExamples, addOutputFormat, type OutputOptions } from '../options.js';
import { prettyJson } from '../output/json-text.js';

const TRIALS = [...FILE_TRIALS, ...NETWORK_TRIALS, ...PROCESS_TRIALS, ...LIMIT_TRIALS];

export function defineDoctor(command: Command, { io, exit }: CommandHost): void {
  addOutputFormat(command, ['text', 'json']);
  addExamples(command, 'toolgate doctor', 'toolgate doctor --output-format json');
  command.action(async (options: OutputOptions) => exit(await examine(options, io)));
}

async function examine({ outputFormat }: OutputOptions, io: CliIo): Promise<number> {
  const container = await createContainer();
  const sandbox = container.get<Sandbox>(TOKENS.Sandbox);
  const signal = io.interruption();
  const stage = new Stage();
  try {
    const report = await reportOn({ sandbox, stage, signal }, io);
    io.out(outputFormat === 'json' ? prettyJson(doctorToJson(report)) : doctorText(report));
    return report.holds ? EXIT.success : EXIT.execution;
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    for (const path of stage.close()) io.err(`warning: ${toVisible(path)} could not be removed\n`);
  }
}

async function reportOn(scene: Scene, io: CliIo): Promise<DoctorReport> {
  const capabilities = await scene.sandbox.probe({ signal: scene.signal });
  const results = await resultsOf(scene, io);
  scene.signal.throwIfAborted();
  return doctorReport(results, capabilities, adviceFor(results, capabilities));
}

async function resultsOf(scene: Scene, io: CliIo): Promise<readonly TrialResult[]> {
  const planted = io.env[PLANTED_VARIABLE];
  if (planted) return runTrials([descriptorTrial(planted)], scene);
  return [...(await runTrials(TRIALS, scene)), await tryDescriptor(io.program, scene)];
}
