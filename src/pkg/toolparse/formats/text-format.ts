import { codeOpener } from './code-opener.js';
import type { FormatDeclaration } from './declaration.js';
import { elementOpener } from './element-opener.js';
import { jsonOpener } from './json-opener.js';
import type { Opener } from './opener.js';
import { quotedOpener } from './quoted-opener.js';
import { tagOpener } from './tag-opener.js';
import { yamlOpener } from './yaml-opener.js';

export { jsonStart } from './json-opener.js';
export type { Opener } from './opener.js';

const compiled = new WeakMap<FormatDeclaration, Opener>();

/** The opener of a declared format, without its wrapper; compiled once. */
export function openerOf(declaration: FormatDeclaration): Opener {
  const known = compiled.get(declaration);
  if (known) return known;
  const opener = compile(declaration);
  compiled.set(declaration, opener);
  return opener;
}

function compile(declaration: FormatDeclaration): Opener {
  const { body } = declaration;
  switch (body.kind) {
    case 'json':
      return jsonOpener(declaration, body);
    case 'tags':
      return tagOpener(declaration, body);
    case 'code':
      return codeOpener(declaration);
    case 'quoted':
      return quotedOpener(declaration, body);
    case 'yaml':
      return yamlOpener(declaration);
    case 'element':
      return elementOpener(declaration, body);
  }
  return body satisfies never;
}
