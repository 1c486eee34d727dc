import type { ElementBody, TagBody } from '../formats/declaration.js';
import { characterData } from '../scan/character-data.js';
import { Template } from '../scan/template.js';
import type { Json } from '../types.js';
import { hideMark, type WrittenCall } from './write-call.js';

/** A tag for each parameter, one a line. */
export function writeTags(body: TagBody, { arguments: args }: WrittenCall): string {
  const [pair] = 'open' in body.parameter ? [body.parameter] : body.parameter;
  const open = new Template(pair?.open ?? '');
  const close = new Template(pair?.close ?? '');
  const line = body.trim === 'line' ? '\n' : '';
  return Object.entries(args)
    .map(([key, value]) => {
      const mark = open.fill({ key, type: typeWord(open, value) });
      const end = close.fill({ key });
      return `${mark}${line}${writeValue(value, end)}${line}${end}`;
    })
    .join('\n');
}

/** `string="true"` asks whether it is one, `type="number"` what it is. */
function typeWord(open: Template, value: Json): string {
  const isString = typeof value === 'string';
  if (open.source.includes('string="{type}"')) return String(isString);
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function writeValue(value: Json, end: string): string {
  return typeof value === 'string' ? writeText(value, end) : JSON.stringify(value);
}

/** As it stands, unless a reader would take it for XML and read it once too often, or for the end. */
function writeText(text: string, end: string): string {
  if (characterData(text) === text && !text.includes(end)) return text;
  if (!text.includes(']]>')) return `<![CDATA[${text}]]>`;
  return escapeXml(text);
}

/** A tag named after the tool, with tags or YAML inside. */
export function writeElement(body: ElementBody, { name, arguments: args }: WrittenCall): string {
  const entries = Object.entries(args);
  if (entries.length === 0) return `<${name}>\n</${name}>`;
  const lines = entries.map(([key, value]) =>
    body.content === 'yaml'
      ? hideMark(yamlLine(key, value), `</${name}`)
      : `<${key}>${escapeXml(typeof value === 'string' ? value : JSON.stringify(value))}</${key}>`,
  );
  return `<${name}>\n${lines.join('\n')}\n</${name}>`;
}

/** A mapping that names the tool; JSON is YAML, and says what a plain word might not. */
export function writeYaml({ name, arguments: args }: WrittenCall): string {
  const lines = Object.entries(args).map(([key, value]) => `  ${yamlLine(key, value)}`);
  const body = lines.length === 0 ? 'arguments: {}' : `arguments:\n${lines.join('\n')}`;
  return `name: ${JSON.stringify(name)}\n${body}\n`;
}

function yamlLine(key: string, value: Json): string {
  const plain = /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key);
  return `${plain}: ${JSON.stringify(value)}`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
