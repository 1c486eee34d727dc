import { describe, expect, it } from '@jest/globals';
import { toHtml } from '../../../../src/interfaces/cli/report/html.js';
import { DOCUMENT } from './hostile-document.js';

describe('toHtml', () => {
  it('escapes what an agent wrote, and may load and run nothing', () => {
    const page = toHtml(DOCUMENT, '<run>');
    expect(page).not.toContain('<script');
    expect(page).not.toContain('\u202e');
    expect(page).toContain('&lt;/pre&gt;&lt;script&gt;');
    expect(page).toContain('<title>&lt;run&gt;</title>');
    expect(page).toContain("default-src 'none'");
    expect(page).toContain('<td class="success">success</td>');
  });
});
