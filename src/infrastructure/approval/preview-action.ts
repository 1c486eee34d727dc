import type { Json, JsonObject } from '../../domain/json.js';
import type { CallPlan, PlannedAction } from '../../domain/plan.js';
import type { PreviewSection } from './preview.js';
import { fileSections } from './preview-file.js';

type Action<Kind extends PlannedAction['kind']> = Extract<PlannedAction, { kind: Kind }>;

/** What is shown of an action, and which arguments that leaves nothing to say about. */
interface ShownAction {
  readonly sections: readonly PreviewSection[];
  readonly shown: readonly string[];
}

/** The resolved plan, then what the agent wrote as far as it is not the same. */
export async function actionSections({ action, arguments: args }: CallPlan): Promise<PreviewSection[]> {
  const { sections, shown } = await showAction(action, args);
  const rest = Object.entries(args).filter(([name]) => !shown.includes(name));
  return [...sections, ...argumentSections(Object.fromEntries(rest))];
}

async function showAction(action: PlannedAction, args: JsonObject): Promise<ShownAction> {
  switch (action.kind) {
    case 'process':
      return { sections: processSections(action), shown: sameAs(args, { command: action.script }) };
    case 'read-file':
      return { sections: [line('reads', action.path)], shown: sameAs(args, { path: action.path }) };
    case 'write-file':
      return showWrite(action, args);
    case 'http':
      return showRequest(action, args);
    case 'handler':
      return { sections: [], shown: [] };
    default:
      throw action satisfies never;
  }
}

function processSections({ argv, cwd, script, unconfined }: Action<'process'>): PreviewSection[] {
  return [
    { label: 'runs', kind: 'argv', items: argv },
    ...(script === undefined ? [] : [{ label: 'command line', kind: 'text', text: script } as const]),
    line('in', cwd),
    ...(unconfined ? [line('confined by', 'nothing but checks before it starts')] : []),
  ];
}

async function showWrite(action: Action<'write-file'>, args: JsonObject): Promise<ShownAction> {
  const { content } = args;
  const label = `${action.append ? 'appends' : 'writes'} ${action.bytes} bytes to`;
  const path = line(label, action.path);
  const same = sameAs(args, { path: action.path });
  // Another tool's `content` may be anything.
  if (typeof content !== 'string' || Buffer.byteLength(content) !== action.bytes) {
    return { sections: [path], shown: same };
  }
  return { sections: [path, ...(await fileSections(action, content))], shown: [...same, 'content'] };
}

function showRequest({ method, url }: Action<'http'>, args: JsonObject): ShownAction {
  const headers = headerLines(args.headers);
  const { body } = args;
  const sections: PreviewSection[] = [line('sends', `${method} ${url}`)];
  if (headers) sections.push({ label: 'headers', kind: 'list', items: headers });
  if (typeof body === 'string') sections.push({ label: 'body', kind: 'text', text: body });
  const shown = [...(headers ? ['headers'] : []), ...(typeof body === 'string' ? ['body'] : [])];
  return { sections, shown: [...shown, ...sameAs(args, { method, url })] };
}

function headerLines(headers: Json | undefined): string[] | undefined {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return undefined;
  const entries = Object.entries(headers as JsonObject);
  if (entries.length === 0 || !entries.every(([, value]) => typeof value === 'string')) return undefined;
  return entries.map(([name, value]) => `${name}: ${String(value)}`);
}

/** The arguments that are, word for word, what the plan shows already. */
function sameAs(args: JsonObject, planned: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(planned).filter((name) => Object.hasOwn(args, name) && args[name] === planned[name]);
}

function line(label: string, text: string): PreviewSection {
  return { label, kind: 'list', items: [text] };
}

const MOST_ARGUMENTS = 20;
/** Other names could say something of their own where a label stands. */
const PLAIN_NAME = /^[\w.-]{1,32}$/;

/** Text as text, so that it can be read; everything else as JSON. */
function argumentSections(args: JsonObject): PreviewSection[] {
  const entries = Object.entries(args);
  if (entries.length > MOST_ARGUMENTS || !entries.every(([name]) => PLAIN_NAME.test(name))) {
    return [{ label: 'arguments', kind: 'json', value: args }];
  }
  return entries.map(([name, value]) => {
    const label = `argument ${name}`;
    return typeof value === 'string' ? { label, kind: 'text', text: value } : { label, kind: 'json', value };
  });
}
