import { pruneArguments } from '../schema/prune.js';
import type { JsonObject, ParseOptions, ToolSpec } from '../types.js';
import { bindArguments } from './bind-arguments.js';
import type { Bound } from './bound.js';
import type { Draft } from './draft.js';
import { whyUnusable } from './unusable-arguments.js';

/** What the caller wants done with arguments that no tool should get. */
export type ArgumentPolicy = Pick<ParseOptions, 'undeclaredArguments' | 'unusableCalls'>;

/** Formats whose own readers take only what the tool's schema names: whatever else stands there is markup. */
const SELECTIVE: ReadonlySet<string> = new Set(['minicpm5_xml', 'morph_xml', 'yaml_xml']);

/** The caller's wish, or what is usual for the format. */
export function policyFor(format: string, options: ArgumentPolicy): ArgumentPolicy {
  if (options.undeclaredArguments !== undefined || !SELECTIVE.has(format)) return options;
  return { ...options, undeclaredArguments: 'drop' };
}

/** The arguments as the tool would get them, with what the caller does not want taken out. */
export function settleArguments(draft: Draft, tool: ToolSpec | undefined, policy: ArgumentPolicy): Bound {
  const bound = bindArguments(draft, tool);
  const root = tool?.parameters;
  const reason = bound.isNoCall ? undefined : whyUnusable(draft, bound, root);
  if (reason !== undefined) return refuse(bound, reason, policy.unusableCalls === 'keep');
  return root ? leaveOut(bound, root, policy.undeclaredArguments) : bound;
}

function refuse(bound: Bound, reason: string, isKept: boolean): Bound {
  const fate = isKept ? 'it must not run' : 'it was left as text';
  const note = { code: 'arguments-unusable', message: `The call ${reason}: ${fate}.` } as const;
  return { ...bound, notes: [...bound.notes, note], isUnclear: true, isNoCall: !isKept };
}

function leaveOut(bound: Bound, root: JsonObject, wish: ParseOptions['undeclaredArguments']): Bound {
  if (wish === 'keep') return bound;
  const what = wish === 'drop' ? 'undeclared' : 'forbidden';
  const { value, dropped } = pruneArguments(bound.value, root, what);
  if (dropped.length === 0) return bound;
  const message = `Left out, for the schema has no place for them: ${dropped.join(', ')}.`;
  return { ...bound, value, notes: [...bound.notes, { code: 'arguments-dropped', message }] };
}
