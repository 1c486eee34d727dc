import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../../support/browser.js';
import { requestFor } from '../../../support/fake-terminal.js';
import { PageFixture } from '../../../support/page-fixture.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

let browser: Browser;
let fixture: PageFixture;
let problems: string[];

beforeAll(async () => {
  browser = await openBrowser();
}, 60_000);

afterAll(() => browser.close());

beforeEach(async () => {
  fixture = await PageFixture.open();
  problems = [];
});

afterEach(async () => {
  await fixture.page.close('it ended');
  for (const context of browser.contexts()) await context.close();
});

/** Somebody who opens the link; all that goes wrong in their browser is kept. */
async function visit(): Promise<Page> {
  const tab = await (await browser.newContext()).newPage();
  tab.setDefaultTimeout(15_000);
  tab.on('pageerror', (error) => problems.push(error.message));
  tab.on('dialog', (dialog) => problems.push(dialog.message()));
  await tab.goto(fixture.page.link);
  return tab;
}

async function says(tab: Page, text: string): Promise<void> {
  await tab.getByText(text).first().waitFor();
}

function question(tab: Page, number = 1) {
  return tab.locator(`#waiting > li:nth-child(${number})`);
}

/** The page's own clock, which began when it was asked for. */
const NOTE_WHEN_LISTED = `
  new MutationObserver((_, self) => {
    if (document.getElementById('count')?.textContent !== '1000 waiting') return;
    globalThis.listedAt = performance.now();
    self.disconnect();
  }).observe(document, { subtree: true, childList: true, characterData: true });
`;

describe('the approval page in a browser', () => {
  it('shows a change to a file and takes a yes for it', async () => {
    const tab = await visit();
    await says(tab, 'Nothing waits for an answer');
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'site'));
    const path = join(folder, 'site', 'gates.md');
    writeFileSync(path, 'old\n');
    const action = { kind: 'write-file', path, bytes: 4, append: false } as const;
    const asked = fixture.ask(requestFor({ tool: 'publish', arguments: { path, content: 'new\n' }, action }));
    await says(tab, '1 waiting');
    await question(tab).locator('summary').click();
    await says(tab, 'May the agent use "publish"?');
    expect(await tab.locator('.removed').textContent()).toBe('- old');
    expect(await tab.locator('.added').textContent()).toBe('+ new');
    await tab.getByRole('button', { name: 'Allow once' }).click();
    expect(await asked).toMatchObject({ kind: 'approved', planHash: 'hash-1', scope: 'once' });
    await says(tab, 'Nothing waits for an answer');
    expect(problems).toEqual([]);
  });

  it('keeps the token out of the address, and works after a reload', async () => {
    void fixture.ask(requestFor());
    const tab = await visit();
    await says(tab, '1 waiting');
    expect(tab.url()).not.toContain(fixture.token);
    await tab.reload();
    await says(tab, '1 waiting');
  });

  it('shows markup, and what cannot be seen, as text', async () => {
    const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>\u202e\u200b';
    const more = { tool: '<b>bold</b>', arguments: { text: evil }, planHash: '</script>' };
    void fixture.ask(requestFor({ ...more, reason: { kind: 'policy', text: evil } }), undefined, evil);
    const tab = await visit();
    await says(tab, '1 waiting');
    await says(tab, 'May the agent use "<b>bold</b>"?');
    expect(await tab.locator('pre').textContent()).toContain(
      '<img src=x onerror=alert(1)><script>alert(2)</script>\\u{202e}\\u{200b}',
    );
    expect(await tab.locator('#waiting :is(img, script), #waiting b:not(pre b)').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('lets the first of two people answer, and tells the other who it was', async () => {
    const asked = fixture.ask(requestFor());
    const [anna, bert] = [await visit(), await visit()];
    for (const tab of [anna, bert]) await tab.getByRole('button', { name: 'Deny', exact: true }).waitFor();
    await anna.getByLabel('Your name').fill('Anna');
    await anna.getByLabel('Why not?').fill('not today');
    await anna.getByRole('button', { name: 'Deny', exact: true }).click();
    expect(await asked).toEqual({ kind: 'denied', reason: 'not today', by: 'Anna' });
    await bert.locator('#done summary').click();
    await says(bert, 'shell (call_001): denied by Anna');
    expect(await bert.locator('#waiting > li').count()).toBe(0);
  });

  it('can be used with the keyboard alone', async () => {
    const asked = ['a', 'b'].map((planHash) => fixture.ask(requestFor({ planHash, arguments: { n: 1 } })));
    const tab = await visit();
    await says(tab, '2 waiting');
    await tab.getByLabel('Your name').focus();
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Enter');
    await tab.getByRole('button', { name: 'Allow once' }).waitFor();
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Enter');
    expect(await asked[0]).toMatchObject({ kind: 'approved', planHash: 'a' });
    await says(tab, '1 waiting');
    // The focus is on the next question: Enter opens it.
    await tab.keyboard.press('Enter');
    await tab.getByRole('button', { name: 'Allow once' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('sends changed arguments, and says what is wrong with those that are none', async () => {
    const asked = fixture.ask(requestFor({ arguments: { n: 1 } }));
    const tab = await visit();
    await says(tab, 'Other answers');
    await tab.getByText('Other answers').click();
    await tab.getByLabel('Arguments as JSON').fill('{"n": ');
    await tab.getByRole('button', { name: 'Use these arguments' }).click();
    await says(tab, 'These are no arguments');
    await tab.getByLabel('Arguments as JSON').fill('{"n": 2}');
    await tab.getByRole('button', { name: 'Use these arguments' }).click();
    expect(await asked).toMatchObject({ kind: 'approved', arguments: { n: 2 } });
  });

  it('says that the run is over', async () => {
    const tab = await visit();
    await says(tab, 'Nothing waits');
    await fixture.page.close('it succeeded');
    await says(tab, 'The run is over: it succeeded. This page can be closed.');
    fixture = await PageFixture.open();
  });

  it('says that the connection is lost, and goes on when it is back', async () => {
    void fixture.ask(requestFor());
    const tab = await (await browser.newContext()).newPage();
    await tab.route('**/api/events', (route) => route.abort());
    await tab.goto(fixture.page.link);
    await says(tab, 'The connection is lost. Trying again…');
    await tab.unroute('**/api/events');
    await says(tab, '1 waiting');
    expect(await tab.locator('#notice').isVisible()).toBe(false);
  });

  it('asks whoever comes without the token for the link', async () => {
    const tab = await (await browser.newContext()).newPage();
    await tab.goto(fixture.page.link.replace(/#.*/, ''));
    await says(tab, 'Open the link that toolgate printed');
  });

  it('fits a phone', async () => {
    void fixture.ask(requestFor({ arguments: { text: 'long'.repeat(100) } }));
    const context = await browser.newContext({ viewport: { width: 320, height: 640 } });
    const tab = await context.newPage();
    await tab.goto(fixture.page.link);
    await tab.getByRole('button', { name: 'Allow once' }).waitFor();
    const width = await tab.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(320);
  });

  it('opens with a thousand questions in two requests, and answers in one', async () => {
    const asked = Array.from({ length: 1000 }, (_, index) =>
      fixture.ask(requestFor({ planHash: `hash-${index}`, arguments: { text: 'x'.repeat(5000) } })),
    );
    const tab = await (await browser.newContext()).newPage();
    const requests: string[] = [];
    tab.on('request', (sent) => requests.push(`${sent.method()} ${new URL(sent.url()).pathname}`));
    await tab.addInitScript(NOTE_WHEN_LISTED);
    await tab.goto(fixture.page.link);
    await says(tab, '1000 waiting');
    const opened = await tab.evaluate('listedAt');
    expect(requests).toEqual(['GET /', 'GET /api/events']);
    await question(tab).locator('summary').click();
    await tab.getByRole('button', { name: 'Allow once' }).waitFor();
    requests.length = 0;
    const answered = await tab.evaluate(`new Promise((resolve) => {
      const start = performance.now();
      new MutationObserver(() => resolve(performance.now() - start)).observe(
        document.getElementById('waiting'), { childList: true });
      document.querySelector('button.yes').click();
    })`);
    await says(tab, '999 waiting');
    expect(requests).toEqual([expect.stringMatching(/^POST \/api\/waiting\/[\w-]+$/)]);
    expect(await asked[0]).toMatchObject({ kind: 'approved', planHash: 'hash-0' });
    // Printed, not asserted: how long it takes is the machine's affair.
    process.stderr.write(
      `1,000 questions: open after ${Math.round(Number(opened))} ms, answered after ${Math.round(Number(answered))} ms\n`,
    );
  });
});
