import { describe, expect, it } from '@jest/globals';
import { toMarkdown } from '../../../../src/interfaces/cli/report/markdown.js';
import { DOCUMENT, HOSTILE } from './hostile-document.js';

describe('toMarkdown', () => {
  it('keeps what an agent wrote in code that it cannot end', () => {
    const text = toMarkdown(DOCUMENT);
    expect(text).toContain(`- **Name**: \`\`\`\` ${HOSTILE.replace('\u202e', '\\u{202e}')} \`\`\`\``);
    expect(text).toContain('\\u{202e}\\| ```` | success |');
    expect(text).toContain('````text\none\n');
    expect(text).not.toContain('\u202e');
  });

  it('writes a short value as it is', () => {
    expect(toMarkdown([{ kind: 'facts', facts: [['Run', 'r1']] }])).toBe('- **Run**: `r1`\n');
  });
});
