import { propertyNames, requiredNames } from '../schema/schema-types.js';
import type { JsonObject, ToolSpec } from '../types.js';
import { readAttributes } from '../xml/decode-xml.js';

/** Tags that pages are written in: one of these is a call only where it holds what the tool named like it takes. */
const HTML =
  /^(?:a|abbr|article|audio|b|body|br|button|code|data|details|dialog|div|em|figure|footer|form|h[1-6]|head|header|hr|html|i|img|input|label|li|link|main|map|mark|menu|meta|nav|ol|option|output|p|pre|progress|q|s|script|search|section|select|small|source|span|strong|style|sub|summary|sup|svg|table|td|template|textarea|th|time|title|tr|u|ul|var|video)$/i;
/** The first parameter's name: as a tag, as a key in JSON, or as one in YAML. */
const FIRST_NAME =
  /^\s*(?:<([A-Za-z0-9_][\w.-]{0,127})|\{\s*["']([^"'\n]{1,128})["']|(?:- )?["']?([A-Za-z_][\w .-]{0,127}?)["']?:(?:\s|$))/;

interface PageTag {
  readonly tool: ToolSpec;
  readonly attributes: string;
  readonly content: string;
  readonly startsLine: boolean;
}

/** Whether a tag that is named like one of a page's stands for the page, not for the tool. */
export function isOfPage({ tool, attributes, content, startsLine }: PageTag): boolean {
  if (!HTML.test(tool.name)) return false;
  const schema = tool.parameters ?? {};
  const hasAttributes = attributes.trim() !== '';
  if (content.trim() === '')
    return !(hasAttributes ? takesAll(schema, attributes) : startsLine && takesNone(schema));
  const [, tag, key, line] = FIRST_NAME.exec(content) ?? [];
  const first = tag ?? key ?? line;
  if (first === undefined || hasAttributes) return true;
  // Where the schema names nothing, a tag inside is the best sign there is.
  return schema.properties === undefined ? tag === undefined : !propertyNames(schema, schema).has(first);
}

function takesAll(schema: JsonObject, attributes: string): boolean {
  const names = propertyNames(schema, schema);
  const given = readAttributes(attributes);
  return given.length > 0 && given.every(({ key }) => names.has(key));
}

/** A schema that names no parameters says nothing about a tag without any. */
function takesNone(schema: JsonObject): boolean {
  return schema.properties !== undefined && requiredNames(schema).length === 0;
}
