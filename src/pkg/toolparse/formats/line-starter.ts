import { ElementFrame } from '../scan/element-frame.js';
import { skipBlanks } from '../scan/match-mark.js';
import { Template } from '../scan/template.js';
import type { ElementFormats } from './element-opener.js';
import { type Opener, openFirst } from './opener.js';

const MAX_BLANKS = 64;

/** Opens a tool's name that stands alone on a line, with a tag for each parameter below it. */
export function lineStarter(formats: ElementFormats): Opener {
  const marks = [new Template('{name}\n'), new Template('{name}\r\n')];
  return {
    patterns: [],
    open: (view, index, { tools }) =>
      openFirst(marks, { view, index }, (end, filled) => {
        const name = (filled.name ?? '').replace(/:$/, '');
        const tool = tools.get(name);
        if (!tool) return undefined;
        const bodyAt = skipBlanks(view.text, end, MAX_BLANKS);
        const next = view.text.slice(bodyAt, bodyAt + 2);
        if (next.length < 2 && !view.final) return 'partial';
        if (!/^<[A-Za-z_]/.test(next)) return undefined;
        return new ElementFrame({
          formats,
          tool,
          start: view.base + index,
          bodyAt: view.base + bodyAt,
          attributes: '',
          isSelfClosed: false,
          startsLine: true,
          form: 'line',
        });
      }),
  };
}
