import { isObject } from '../json/own.js';
import { type BodyReading, MarkedFrame } from '../scan/marked-frame.js';
import { Template } from '../scan/template.js';
import { readYaml } from '../yaml/yaml-reader.js';
import { readCallShapes } from './call-shapes.js';
import { type FormatDeclaration, listMarks } from './declaration.js';
import { headsOf, namedBy, type Opener, openFirst } from './opener.js';

/** Opens a format whose calls are YAML. */
export function yamlOpener(declaration: FormatDeclaration): Opener {
  const templates = listMarks(declaration.open).map((mark) => new Template(mark));
  const declaredOnly = declaration.declaredOnly ?? false;
  return {
    patterns: templates.map((template) => template.leadingPattern),
    heads: headsOf(templates),
    open: (view, index, place) =>
      openFirst(templates, { view, index }, (end, filled) => {
        const { name } = namedBy(filled);
        return new MarkedFrame({
          format: declaration.id,
          start: view.base + index,
          bodyAt: view.base + end,
          close: listMarks(declaration.close),
          restart: '',
          declaredOnly: declaredOnly || place.inFence,
          tentative: declaredOnly,
          readBody: (text, isClosed) => readBody(text, name, isClosed),
        });
      }),
  };
}

function readBody(text: string, name: string | undefined, isClosed: boolean): BodyReading | undefined {
  const yaml = readYaml(text);
  if (!yaml) return undefined;
  const { value, repeats } = yaml;
  const calls =
    name === undefined
      ? readCallShapes(value, { strict: true })
      : isObject(value) && [{ name, id: undefined, arguments: value }];
  if (!calls) return undefined;
  const drafts = calls.map((call) => ({
    name: call.name,
    id: call.id,
    arguments: { kind: 'json', value: call.arguments } as const,
    complete: isClosed,
    fixes: [],
    repeats,
  }));
  return { drafts, length: text.length };
}
