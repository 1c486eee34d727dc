import type { RunEvent, RunOutcome } from '../../../application/run-request.js';
import type { JsonObject } from '../../../domain/json.js';
import { toVisible } from '../../../domain/visible-text.js';
import type { CliIo } from '../cli-io.js';
import { outcomeToJson } from './outcome-json.js';
import { createPaint, type Paint } from './paint.js';
import { progressLines } from './progress-lines.js';
import type { Redactors, RunReporter } from './run-reporter.js';
import { Spinner } from './spinner.js';
import { statesText } from './states-text.js';

/** Nothing moves while somebody reads a question, nor when all is said. */
const STOPS_MOVING: ReadonlySet<RunEvent['type']> = new Set(['step-end', 'approval-ask', 'input-ask']);

/** Live progress for people on stderr; the states on stdout at the end. */
export class ProgressReporter implements RunReporter {
  readonly #paint: Paint;
  readonly #spinner: Spinner;

  constructor(
    private readonly io: CliIo,
    private readonly redactors: Redactors,
  ) {
    this.#paint = createPaint(io);
    this.#spinner = new Spinner(io.err, io.isWatched && io.env.TERM !== 'dumb');
  }

  event(event: RunEvent): void {
    const lines = progressLines(event, { paint: this.#paint, redactor: this.redactors.people });
    if (lines.length > 0) {
      this.#spinner.clear();
      this.io.err(`${lines.join('\n')}\n`);
    }
    if (event.type === 'turn-start') this.#spinner.show(`waiting for the agent (turn ${event.turn})`);
    if (event.type === 'call-start') this.#spinner.show(`running ${toVisible(event.tool)}`);
    if (STOPS_MOVING.has(event.type)) this.#spinner.stop();
  }

  pause(): void {
    this.#spinner.stop();
  }

  async outcome(outcome: RunOutcome): Promise<void> {
    this.close();
    const { states } = this.redactors.data.json(outcomeToJson(outcome)) as { readonly states: JsonObject };
    this.io.out(await statesText(states));
    const { runId, status, message } = outcome;
    if (message !== undefined)
      this.io.err(`${toVisible(this.redactors.people.text(message), { multiline: true })}\n`);
    if (status === 'cancelled') {
      this.io.err(`go on with: toolgate resume ${runId}\n`);
    }
  }

  close(): void {
    this.#spinner.stop();
  }
}
