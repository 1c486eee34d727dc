import type { RunEvent, RunOutcome } from '../../../application/run-request.js';
import type { PieceRedactor } from '../../../domain/redact-pieces.js';
import type { Redactor } from '../../../domain/redaction.js';
import { toVisible } from '../../../domain/visible-text.js';
import type { CliIo } from '../cli-io.js';
import type { OutputFormat } from '../options.js';
import { eventToJson } from './event-json.js';
import { compactJson, prettyJson } from './json-text.js';
import { outcomeToJson } from './outcome-json.js';
import { createPaint } from './paint.js';
import { progressLines } from './progress-lines.js';
import { ProgressReporter } from './progress-reporter.js';

/** Shows a run while it goes on and when it is over, in one of the output formats. */
export interface RunReporter {
  event(event: RunEvent): void;
  /** Makes room for a question on the terminal. */
  pause(): void;
  outcome(outcome: RunOutcome): Promise<void>;
  /** Takes away whatever still moves, also after a failure. */
  close(): void;
}

/** How much is hidden: all that looks like a secret from people, only what is known to be one from programs. */
export interface Redactors {
  readonly people: Redactor;
  readonly data: Redactor;
  /** As `data`, for text that is shown as it comes. */
  readonly pieces: PieceRedactor;
}

export function createRunReporter(format: OutputFormat, io: CliIo, redactors: Redactors): RunReporter {
  switch (format) {
    case 'text':
      return new ProgressReporter(io, redactors);
    case 'json':
      return jsonReporter(io, redactors);
    case 'stream-json':
      return streamReporter(io, redactors);
    default:
      throw format satisfies never;
  }
}

function jsonReporter(io: CliIo, { data, people }: Redactors): RunReporter {
  const style = { paint: createPaint(io), redactor: people };
  return {
    event: (event) => {
      // The object at the end does not have them, and nobody should miss them.
      if (event.type === 'agent-notice' && event.notice.kind !== 'session')
        for (const line of progressLines(event, style)) io.err(`${line.trim()}\n`);
      if (event.type === 'run-warning') io.err(`warning: ${toVisible(people.text(event.message))}\n`);
      // Whoever is to answer must have read what.
      if (event.type === 'input-ask') io.err(`${toVisible(people.text(event.reply), { multiline: true })}\n`);
    },
    pause: () => undefined,
    outcome: async (outcome) => io.out(prettyJson(data.json(outcomeToJson(outcome)))),
    close: () => undefined,
  };
}

type TextDelta = Extract<RunEvent, { readonly type: 'text-delta' }>;

function streamReporter(io: CliIo, { data, pieces }: Redactors): RunReporter {
  const show = (event: RunEvent): void => io.out(compactJson(data.json(eventToJson(event))));
  const showText = (delta: TextDelta, text: string): void => {
    if (text !== '') show({ ...delta, text });
  };
  let last: TextDelta | undefined;
  return {
    event: (event) => {
      if (event.type === 'text-delta') {
        last = event;
        return showText(event, pieces.push(event.text));
      }
      if (last) showText(last, pieces.end());
      last = undefined;
      return show(event);
    },
    pause: () => undefined,
    outcome: async (outcome) =>
      io.out(compactJson({ type: 'result', ...(data.json(outcomeToJson(outcome)) as object) })),
    close: () => undefined,
  };
}
