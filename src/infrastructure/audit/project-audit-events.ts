import type { EffectKind, InputOf, OutcomeOf } from '../../domain/effect.js';
import type { JournalEntry, JournaledEffect, JournalRecord } from '../../domain/journal.js';
import type { Json } from '../../domain/json.js';
import { type AuditEvent, auditEvent } from './audit-event.js';
import { type AuditState, position, skippedCalls, stepOf } from './audit-state.js';
import {
  callEnded,
  callStarted,
  heard,
  noticed,
  prepareEnded,
  reviewAsked,
  reviewEnded,
  summarized,
  turnEnded,
  turnStarted,
} from './project-effects.js';

type Entry<T extends JournalEntry['type']> = Extract<JournalRecord, { type: T }>;

/**
 * What a journal record means to an auditor. Reads and updates `state`, so records must come in order and from
 * the first: an outcome says only which effect it belongs to.
 */
export function projectAuditEvents(record: JournalRecord, state: AuditState): readonly AuditEvent[] {
  switch (record.type) {
    case 'run-started':
      return runStarted(record, state);
    case 'run-resumed':
      return runResumed(record, state);
    case 'step-started':
      return [auditEvent('step.start', { step: record.step })];
    case 'intent':
      return record.effects.flatMap((effect) => intended(effect, record.at, state));
    case 'outcome':
      return ended(record, state);
    case 'process':
      return [processStarted(record, state)];
    case 'signal':
      return signalled(record, state);
    case 'step-ended': {
      const { step, stoppedBy } = record;
      const skipped = stoppedBy === 'suspended' || stoppedBy === 'cancelled' ? [] : skippedCalls(state);
      return [...skipped, auditEvent('step.end', { step, stopped_by: stoppedBy })];
    }
    case 'run-ended':
      return runEnded(record, state);
    default:
      throw record satisfies never;
  }
}

function runStarted(record: Entry<'run-started'>, state: AuditState): AuditEvent[] {
  state.startedAt = record.at;
  const { inputs, workspace, workflowHash, version } = record;
  return [
    auditEvent('run.start', { inputs, workspace, workflow_hash: workflowHash, toolgate_version: version }),
  ];
}

function runResumed(record: Entry<'run-resumed'>, state: AuditState): AuditEvent[] {
  // The time that the run lay dead is nobody's duration.
  for (const turn of state.turns.values()) turn.at = record.at;
  return [auditEvent('run.resume', {})];
}

function runEnded({ status, at }: Entry<'run-ended'>, state: AuditState): readonly AuditEvent[] {
  if (status === 'suspended') return [auditEvent('run.suspend', {})];
  const duration = state.startedAt === undefined ? undefined : at - state.startedAt;
  // A cancelled run can be resumed, and may run them yet.
  const skipped = status === 'cancelled' ? [] : skippedCalls(state);
  return [...skipped, auditEvent('run.end', { status, duration_ms: duration })];
}

function intended(effect: JournaledEffect, at: number, state: AuditState): readonly AuditEvent[] {
  const { id } = effect;
  switch (effect.kind) {
    case 'turn':
      return turnStarted(id, { turn: inputOf<'turn'>(effect).turn, at }, state);
    case 'review':
      return reviewAsked(id, inputOf<'review'>(effect), state);
    case 'call':
      return callStarted(id, inputOf<'call'>(effect), state);
    default:
      return [];
  }
}

function ended(record: Entry<'outcome'>, state: AuditState): readonly AuditEvent[] {
  const { id, value } = record;
  switch (record.kind) {
    case 'turn':
      return turnEnded(id, outcomeOf<'turn'>(value), state);
    case 'prepare':
      return prepareEnded(id, outcomeOf<'prepare'>(value), state);
    case 'review':
      return reviewEnded(id, outcomeOf<'review'>(value), state);
    case 'listen':
      return heard(id, outcomeOf<'listen'>(value));
    case 'summary':
      return summarized(id, outcomeOf<'summary'>(value));
    case 'notice':
      return noticed(id, outcomeOf<'notice'>(value));
    case 'call':
      return callEnded(id, outcomeOf<'call'>(value), state);
    default:
      return [];
  }
}

function processStarted({ id, pid }: Entry<'process'>, state: AuditState): AuditEvent {
  const call = state.calls.get(position(id));
  return auditEvent('process.start', {
    // An agent that owns its loop is a process too; it belongs to its turn, and to no call.
    step: stepOf(id, id.endsWith('/turn') ? 'turn' : 'call'),
    call_id: call?.callId,
    tool: call?.tool,
    pid,
  });
}

/** A signal with an effect's name is that effect's outcome, given from outside; the first answer wins. */
function signalled({ name, payload }: Entry<'signal'>, state: AuditState): readonly AuditEvent[] {
  if (state.reviews.has(name)) return reviewEnded(name, outcomeOf<'review'>(payload), state);
  return [auditEvent('signal', { name, payload })];
}

// The journal keeps effects as plain JSON; what kind it is says which shape it has.
function inputOf<K extends EffectKind>(effect: JournaledEffect): InputOf<K> {
  return effect.input as unknown as InputOf<K>;
}

function outcomeOf<K extends EffectKind>(value: Json): OutcomeOf<K> {
  return value as unknown as OutcomeOf<K>;
}
