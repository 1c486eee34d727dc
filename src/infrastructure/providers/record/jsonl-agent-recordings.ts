import type {
  AgentRecordings,
  RecordedRunContext,
  Recording,
  Tape,
} from '../../../ports/agent-recordings.js';

/** Recordings as files: one line a request, readable, and fit to lie beside a workflow in version control. */
export class JsonlAgentRecordings implements AgentRecordings {
  async open({ mode, file }: Recording, run: RecordedRunContext): Promise<Tape> {
    const { portableJson } = await import('./portable-json.js');
    const portable = portableJson(run);
    if (mode === 'replay') {
      const [{ readRecording }, { ReplayTape }] = await Promise.all([
        import('./read-recording.js'),
        import('./replay-tape.js'),
      ]);
      return new ReplayTape(file, await readRecording(file), { portable, isResumed: run.isResumed });
    }
    const [{ RecordingFile }, { RecordingTape }] = await Promise.all([
      import('./recording-file.js'),
      import('./recording-tape.js'),
    ]);
    return new RecordingTape(RecordingFile.open(file, run.isResumed ? 'continue' : 'create'), portable);
  }
}
