import type { ApprovalRequest } from '../../domain/approval.js';
import type { Json } from '../../domain/json.js';
import type { PlannedAction } from '../../domain/plan.js';
import { hasMixedScripts, toVisible } from '../../domain/visible-text.js';
import { type Layout, textBlock, widthOf } from './text-block.js';

export interface RenderedRequest {
  readonly text: string;
  /** Whether something of it is not shown. */
  readonly isCut: boolean;
}

interface Section {
  readonly label: string;
  readonly lines: readonly string[];
}

/** All that a person needs to decide: what asks, why, what it would touch as planned, and what the agent wrote. */
export function renderRequest(
  request: ApprovalRequest,
  place: { readonly step: string; readonly callId: string },
  layout: Layout,
): RenderedRequest {
  const { plan, reason } = request;
  const sections = [
    { label: 'step', lines: [place.step] },
    { label: 'call', lines: [place.callId] },
    { label: 'why', lines: [reason.text] },
    ...actionSections(plan.action),
    ...argumentSections(plan.arguments),
  ].map((section) => renderSection(section, layout));
  return {
    text: `\n${question(request)}\n${sections.map(({ text }) => text).join('')}`,
    isCut: sections.some(({ isCut }) => isCut),
  };
}

function question({ plan, reason }: ApprovalRequest): string {
  const tool = `"${toVisible(plan.tool.slice(0, 64))}"`;
  switch (reason.kind) {
    case 'policy':
      return `May the agent use ${tool}?`;
    case 'in-doubt':
      return `It is not known whether this call of ${tool} took effect. Run it again?`;
    case 'unavailable':
      return `May the agent use ${tool} although the kernel does not confine it here?`;
    default:
      throw reason satisfies never;
  }
}

/** The resolved plan, never the agent's own words for it. */
function actionSections(action: PlannedAction): Section[] {
  switch (action.kind) {
    case 'process':
      return [
        { label: 'runs', lines: action.argv.map((argument, index) => `[${index}] ${argument}`) },
        ...(action.script === undefined ? [] : [{ label: 'command line', lines: action.script.split('\n') }]),
        { label: 'in', lines: [action.cwd] },
        ...(action.unconfined
          ? [{ label: 'confined by', lines: ['nothing but checks before it starts'] }]
          : []),
      ];
    case 'read-file':
      return [{ label: 'reads', lines: [action.path] }];
    case 'write-file': {
      const size = `${action.bytes} bytes`;
      return [{ label: action.append ? `appends ${size} to` : `writes ${size} to`, lines: [action.path] }];
    }
    case 'http':
      return [{ label: 'sends', lines: [`${action.method} ${action.url}`] }];
    case 'handler':
      return [];
    default:
      throw action satisfies never;
  }
}

const MOST_ARGUMENTS = 20;
/** Other names could say something of their own where a label stands. */
const PLAIN_NAME = /^[\w.-]{1,32}$/;

/** Text as text, so that a file's content can be read; everything else as JSON. */
function argumentSections(args: Readonly<Record<string, Json>>): Section[] {
  const entries = Object.entries(args);
  if (entries.length > MOST_ARGUMENTS || !entries.every(([name]) => PLAIN_NAME.test(name))) {
    return [{ label: 'arguments', lines: jsonLines(args) }];
  }
  return entries.map(([name, value]) => ({
    label: `argument ${name}`,
    lines: typeof value === 'string' ? value.split('\n') : jsonLines(value),
  }));
}

function jsonLines(value: Json): string[] {
  return JSON.stringify(value, null, 2).split('\n');
}

function renderSection({ label, lines }: Section, layout: Layout): RenderedRequest {
  const { lines: shown, isCut } = textBlock(lines, layout);
  const flag = lines.some(hasMixedScripts) ? '  ⚠ mixed scripts: letters of alphabets that look alike' : '';
  return { text: `${beside(label, shown, flag, layout) ?? below(label, shown, flag)}\n`, isCut };
}

const LABEL_COLUMNS = 18;

/** A short value stands beside its label. */
function beside(label: string, shown: readonly string[], flag: string, layout: Layout): string | undefined {
  const [only = ''] = shown;
  const value = only.trimStart();
  const fits = LABEL_COLUMNS + 3 + widthOf(value) <= layout.columns;
  if (shown.length !== 1 || flag !== '' || label.length >= LABEL_COLUMNS || !fits) return undefined;
  return `  ${label.padEnd(LABEL_COLUMNS)}${value}`;
}

function below(label: string, shown: readonly string[], flag: string): string {
  return `  ${label}${flag}\n${shown.join('\n')}`;
}
