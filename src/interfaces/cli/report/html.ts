import { toVisible } from '../../../domain/visible-text.js';
import type { Block } from './document.js';

/** A document as one page that loads nothing and runs nothing: it can be kept for years and opened anywhere. */
export function toHtml(document: readonly Block[], title: string): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    // Whatever slipped through the escaping would still have nowhere to go.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    '<main>',
    ...document.map(blockHtml),
    '</main>',
    '</html>',
    '',
  ].join('\n');
}

const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;color:#1c1e21;background:#fff;margin:2rem}' +
  'main{max-width:60rem;margin:auto}h2{margin-top:2.5rem;border-bottom:1px solid #ddd}h3{margin-bottom:.3rem}' +
  'dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:0}dt{color:#666}dd{margin:0;overflow-wrap:anywhere}' +
  'table{border-collapse:collapse;margin-top:1rem}th,td{text-align:left;padding:.2rem .8rem .2rem 0;border-bottom:1px solid #eee}' +
  'pre{background:#f6f7f9;padding:.7rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}' +
  '.denied,.failure,.bypassed,.unknown{color:#b3261e}.success{color:#1b7f3b}' +
  '@media(prefers-color-scheme:dark){body{color:#e4e6eb;background:#18191a}pre{background:#242526}dt{color:#a0a4ab}h2,th,td{border-color:#3a3b3c}.denied,.failure,.bypassed,.unknown{color:#ff8a80}.success{color:#7bd88f}}';

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'title':
      return `<h${block.level}>${escaped(block.text)}</h${block.level}>`;
    case 'facts':
      return `<dl>${block.facts.map(([name, value]) => `<dt>${escaped(name)}</dt><dd${classOf(value)}>${escaped(value)}</dd>`).join('')}</dl>`;
    case 'table':
      return `<table><tr>${cells('th', block.titles)}</tr>${block.rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('')}</table>`;
    case 'text':
      return `<p>${escaped(block.title)}</p><pre>${escaped(block.text, true)}</pre>`;
    default:
      throw block satisfies never;
  }
}

function cells(tag: 'th' | 'td', row: readonly string[]): string {
  return row.map((text) => `<${tag}${classOf(text)}>${escaped(text)}</${tag}>`).join('');
}

const COLOURED = new Set(['success', 'failure', 'denied', 'bypassed', 'unknown']);

function classOf(text: string): string {
  return COLOURED.has(text) ? ` class="${text}"` : '';
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string, multiline = false): string {
  return toVisible(text, { multiline }).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
