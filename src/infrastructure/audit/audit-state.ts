import type { EffectKind } from '../../domain/effect.js';
import type { JsonObject } from '../../domain/json.js';
import { type AuditEvent, auditEvent } from './audit-event.js';

/** A call that was asked for and has no answer yet. */
export interface OpenCall {
  readonly step: string;
  readonly callId: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Whether its run was announced; then its outcome will come, and it was not skipped. */
  readonly begun: boolean;
}

/** What the projection remembers between records; nothing that is over. */
export interface AuditState {
  startedAt?: number;
  readonly turns: Map<string, { readonly turn: number; at: number }>;
  /** By position: `step/turn/call`. Call ids are the model's, and need not differ. */
  readonly calls: Map<string, OpenCall>;
  /** Ids of reviews that wait for an answer. */
  readonly reviews: Set<string>;
}

export function createAuditState(): AuditState {
  return { turns: new Map(), calls: new Map(), reviews: new Set() };
}

/** An effect's place without its stage: what the review, the preparation and the run of one call share. */
export function position(effectId: string): string {
  return effectId.slice(0, effectId.lastIndexOf('/'));
}

/** The step's name, which may itself hold slashes. */
export function stepOf(effectId: string, kind: Exclude<EffectKind, 'begin'>): string {
  return effectId
    .split('/')
    .slice(0, WITHOUT_CALL.has(kind) ? -2 : -3)
    .join('/');
}

/** Effects of a turn itself, whose ids name no call. */
const WITHOUT_CALL: ReadonlySet<EffectKind> = new Set(['turn', 'listen', 'summary', 'notice']);

/** Takes the calls that nobody ran out of the state, so that the trail has an answer for each of them. */
export function skippedCalls(state: AuditState): readonly AuditEvent[] {
  const skipped = [...state.calls].filter(([, call]) => !call.begun);
  for (const [key] of skipped) state.calls.delete(key);
  return skipped.map(([, { step, callId, tool, arguments: args }]) =>
    auditEvent('tool.skipped', {
      step,
      call_id: callId,
      tool,
      arguments: args,
      reason: 'not run: past a limit, or the run was stopped first',
    }),
  );
}
