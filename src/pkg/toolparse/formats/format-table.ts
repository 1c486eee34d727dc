import { CLAUDE_XML } from './claude-xml.js';
import { CODE_CALLS } from './code-calls.js';
import type { FormatDeclaration } from './declaration.js';
import { NAMED_JSON } from './named-json.js';
import { PLAIN_TEXT } from './plain-text.js';
import { sameFormats } from './same-formats.js';
import { TAGGED_JSON } from './tagged-json.js';
import { TAGGED_VALUES } from './tagged-values.js';
import { TOKEN_JSON } from './token-json.js';

const FORMATS: readonly FormatDeclaration[] = [
  ...TAGGED_JSON,
  ...TOKEN_JSON,
  ...NAMED_JSON,
  ...TAGGED_VALUES,
  ...CLAUDE_XML,
  ...CODE_CALLS,
  ...PLAIN_TEXT,
];

/** Every built-in text format. Where two fit at the same place, the earlier one is asked first. */
export const TEXT_FORMATS: readonly FormatDeclaration[] = [...FORMATS, ...sameFormats(FORMATS)];

export { isWireFormat, WIRE_FORMATS } from './wire-table.js';
