import { parseDocument, stringify } from 'yaml';
import type { RuleCondition } from '../../domain/approval.js';
import { isJsonObject } from '../../domain/json.js';
import { RuleBook } from '../../domain/rules/rule-book.js';
import type { RememberedDecision } from '../../ports/remembered-decisions.js';

const HEADER = `# What people said "always" to in this workspace. Written by toolgate, and yours to edit;
# \`toolgate approvals list\` shows it, \`toolgate approvals revoke ID\` takes one back.
`;
const LISTS = ['command', 'paths', 'hosts', 'methods'] as const;
const KEYS = new Set(['id', 'tool', 'scope', 'width', 'plan_hash', 'rule', 'who', 'when', 'note']);

/** The file of schema/approvals.schema.json. */
export function writeApprovals(decisions: readonly RememberedDecision[]): string {
  return `${HEADER}${stringify({ approvals: decisions.map(toEntry) }, { lineWidth: 0 })}`;
}

/** Reads the file, all of it or nothing: throws an Error that says what is wrong and where. */
export function readApprovals(text: string): readonly RememberedDecision[] {
  const document = parseDocument(text, { uniqueKeys: true, maxAliasCount: 0 } as never);
  const [error] = [...document.errors, ...document.warnings];
  if (error) throw new Error(error.message.split('\n')[0]);
  const root: unknown = document.toJS({ maxAliasCount: 0 }) ?? { approvals: [] };
  if (!isJsonObject(root) || !Array.isArray(root.approvals)) throw new Error('it has no list `approvals`');
  checkKeys(root, new Set(['approvals']), 'the file');
  const decisions = root.approvals.map(fromEntry);
  const ids = decisions.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Error(`the id "${twice}" is there twice`);
  return decisions;
}

function toEntry(decision: RememberedDecision) {
  const { id, tool, by, at, note } = decision;
  return {
    id,
    tool,
    scope: 'always',
    ...('rule' in decision
      ? { width: 'rule', rule: decision.rule }
      : { width: 'call', plan_hash: decision.planHash }),
    ...(by === undefined ? {} : { who: by }),
    when: new Date(at).toISOString(),
    note,
  };
}

function fromEntry(entry: unknown, index: number): RememberedDecision {
  const place = `approvals[${index}]`;
  if (!isJsonObject(entry)) throw new Error(`${place} is no mapping`);
  checkKeys(entry, KEYS, place);
  const { scope, width, who } = entry;
  if (scope !== 'always') throw new Error(`${place}.scope must be always`);
  if (width !== 'call' && width !== 'rule') throw new Error(`${place}.width must be call or rule`);
  if (
    (width === 'call') !== (entry.plan_hash !== undefined) ||
    (width === 'rule') !== (entry.rule !== undefined)
  ) {
    throw new Error(
      `${place} needs ${width === 'call' ? '`plan_hash` and no `rule`' : '`rule` and no `plan_hash`'}`,
    );
  }
  const at = Date.parse(textOf(entry.when, `${place}.when`));
  if (Number.isNaN(at)) throw new Error(`${place}.when is no date`);
  return {
    id: textOf(entry.id, `${place}.id`),
    tool: textOf(entry.tool, `${place}.tool`),
    ...(width === 'rule'
      ? { rule: ruleOf(entry.rule, `${place}.rule`) }
      : { planHash: textOf(entry.plan_hash, `${place}.plan_hash`) }),
    ...(who === undefined ? {} : { by: textOf(who, `${place}.who`) }),
    at,
    note: typeof entry.note === 'string' ? entry.note : '',
  };
}

function ruleOf(value: unknown, place: string): RuleCondition {
  if (!isJsonObject(value) || Object.keys(value).length === 0) throw new Error(`${place} has no condition`);
  checkKeys(value, new Set(LISTS), place);
  for (const key of LISTS) {
    const list: unknown = value[key];
    const isList = Array.isArray(list) && list.length > 0 && list.every((item) => typeof item === 'string');
    if (list !== undefined && !isList) throw new Error(`${place}.${key} must be a list of texts`);
  }
  const rule = value as RuleCondition;
  new RuleBook([{ mode: 'auto', when: rule }]);
  return rule;
}

function textOf(value: unknown, place: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`${place} must be a text`);
}

function checkKeys(value: object, known: ReadonlySet<string>, place: string): void {
  const unknown = Object.keys(value).find((key) => !known.has(key));
  if (unknown !== undefined) throw new Error(`${place} has the unknown key "${unknown}"`);
}
