import type { Block } from '../../../../src/interfaces/cli/report/document.js';

/** Ends tags, code and lines, loads, mentions and turns round: what a report must survive. */
export const HOSTILE =
  '</pre><script>alert(1)</script> ``` ![x](https://evil.example/a.png) @everyone \u202e|';

export const DOCUMENT: readonly Block[] = [
  { kind: 'title', level: 1, text: 'Title' },
  { kind: 'facts', facts: [['Name', HOSTILE]] },
  { kind: 'table', titles: ['a', 'b'], rows: [[HOSTILE, 'success']] },
  { kind: 'text', title: 'Output', text: `one\n${HOSTILE}\n` },
];
