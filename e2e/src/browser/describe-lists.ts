import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { goTo } from './console-page.js';
import { shoot } from './screenshots.js';
import { callGateway, makeKey, shows, type Stage } from './stage.js';

/** Lists that are searched, each with a part of the name of one of its rows. */
const SEARCHED = [
  ['Wallets', 'first'],
  ['Models', 'EMBED'],
  ['Channels', 'acme'],
  ['Users', 'admin'],
] as const;

/** The text of a file that a click downloads. */
async function download(page: Page, click: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), click()]);
  return readFile(await file.path(), 'utf8');
}

/** Names of the keys in the list, from the top. */
function readNames(page: Page): Promise<string[]> {
  return page.getByRole('main').locator('tbody tr td:first-child a').allInnerTexts();
}

/** Lists are sorted by their headings; the ledger leaves as a file; a video is played beside its task. */
export function describeLists(stage: Stage): void {
  describe('lists', () => {
    beforeAll(async () => {
      const key = await makeKey(stage, 'Listed');
      const video = { model: 'sandbox-video', prompt: 'Waves' };
      expect((await callGateway(stage, key, '/v1/video/generations', video)).status).toBe(200);
    });

    it('are sorted by a heading: up, down, and as before; the address keeps it', async () => {
      const { page } = stage;
      await goTo(page, 'API keys');
      const heading = page.getByRole('columnheader', { name: 'Name' });
      await heading.waitFor();
      const before = await readNames(page);
      const compare = new Intl.Collator('en').compare;
      const isSorted = async (direction: 1 | -1) => {
        const names = (await readNames(page)).map((name) => name.toLowerCase());
        const first = names[0] ?? '';
        const last = names.at(-1) ?? '';
        return names.length === before.length && direction * compare(first, last) < 0;
      };
      expect(await heading.getAttribute('aria-sort')).toBe('none');
      await heading.getByRole('button').click();
      await waitUntil('from A on', () => isSorted(1));
      expect(await heading.getAttribute('aria-sort')).toBe('ascending');
      expect(new URL(page.url()).search).toBe('?sort=name&order=asc');
      // Whoever works by keyboard is still where they were.
      expect(await page.evaluate<string>('document.activeElement?.textContent ?? ""')).toContain('Name');
      await page.reload();
      await waitUntil('kept by the address', () => isSorted(1));
      await heading.getByRole('button').click();
      await waitUntil('from Z on', () => isSorted(-1));
      expect(await heading.getAttribute('aria-sort')).toBe('descending');
      await shoot(page, 'keys-sorted');
      await heading.getByRole('button').click();
      await waitUntil('as before', async () => (await readNames(page)).join() === before.join());
      expect(new URL(page.url()).search).toBe('');
    });

    it('are searched by a part of the name; the address keeps it', async () => {
      const { page } = stage;
      for (const [view, text] of SEARCHED) {
        await goTo(page, view);
        const rows = page.getByRole('main').locator('tbody tr');
        await rows.first().waitFor();
        const field = page.getByRole('main').getByLabel('Search');
        await field.fill(text);
        await field.press('Enter');
        const others = rows.filter({ hasNotText: new RegExp(text, 'i') });
        await waitUntil(`${view} searched`, async () => (await others.count()) === 0);
        expect([view, await shows(rows.first())]).toEqual([view, true]);
        expect(new URL(page.url()).search).toBe(`?search=${text}`);
        await field.fill('no row has this name');
        await field.press('Enter');
        expect(await shows(page.getByText('Nothing matches the filters'))).toBe(true);
        await page.getByRole('button', { name: 'Clear filters' }).click();
        expect(await shows(rows.first())).toBe(true);
      }
    });

    it('leave as CSV: the ledger of a wallet, and of all', async () => {
      const { page } = stage;
      await goTo(page, 'Wallets');
      await page.getByRole('link', { name: 'first', exact: true }).click();
      await page.getByRole('cell', { name: 'charge' }).first().waitFor();
      const exported = page.getByRole('button', { name: 'Export as CSV' });
      const ofWallet = await download(page, () => exported.click());
      expect(ofWallet).toMatch(/^id,created_at,wallet_id,wallet_name,kind,amount,/);
      expect(ofWallet).toMatch(/,first,charge,-0\.\d+,/);
      await page.getByLabel('To', { exact: true }).fill('2020-01-01');
      expect(await shows(page.getByText('No ledger entries yet'))).toBe(true);
      const nothing = await download(page, () => exported.click());
      expect(nothing.trimEnd().split('\r\n')).toHaveLength(1);
      await goTo(page, 'Wallets');
      await page.getByRole('button', { name: 'Export all ledgers (CSV)' }).click();
      const form = page.getByRole('dialog', { name: 'Export all ledgers (CSV)' });
      const ofAll = await download(page, () => form.getByRole('button', { name: 'Export as CSV' }).click());
      expect(ofAll).toMatch(/,first,charge,-0\.\d+,/);
      await form.waitFor({ state: 'hidden' });
    });

    it('have a video beside its task, from the address of the Console', async () => {
      const { page } = stage;
      await page.goto('/tasks?state=succeeded');
      const played = page.waitForResponse((response) => response.url().includes('/api/v1/finished-videos/'));
      await page
        .getByRole('button', { name: /^Open the task of sandbox-/ })
        .first()
        .click();
      const answer = await played;
      expect(answer.url().startsWith(stage.product.consoleUrl)).toBe(true);
      expect([200, 206]).toContain(answer.status());
      expect(answer.headers()['content-type']).toMatch(/^video\//);
      const drawer = page.getByRole('dialog');
      const video = drawer.getByLabel('Video', { exact: true });
      expect(await shows(video.or(drawer.getByText('The video cannot be played')).first())).toBe(true);
      await shoot(page, 'task-video');
      await page.keyboard.press('Escape');
    });
  });
}
