import { describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { goTo, NARROW, WIDE } from './console-page.js';
import { shoot } from './screenshots.js';
import { callGateway, chatWith, makeKey, shows, type Stage, waitForLog } from './stage.js';

/** The dearest call of a period in three clicks, the columns that somebody wants, filters on a phone. */
export function describeLogOrder(stage: Stage): void {
  describe('the order of the logs', () => {
    it('shows the dearest call of the last 24 hours first, stands still, and explains it at a click', async () => {
      const { page } = stage;
      const key = await makeKey(stage, 'ordered');
      await callGateway(stage, key, '/v1/images/generations', { model: 'sandbox-image', prompt: 'A hill.' });
      const last = await callGateway(stage, key, '/v1/chat/completions', chatWith('sandbox-chat'));
      await waitForLog(stage, last.requestId);
      await goTo(page, 'Logs');
      const first = page.getByRole('main').locator('tbody tr').first();
      // One line of text each.
      expect((await first.boundingBox())?.height).toBeLessThan(40);
      await waitUntil('the calls in the log', async () => /sandbox-chat/.test(await first.innerText()));
      await page.getByLabel('Period').selectOption('last 24 hours');
      await page.getByLabel('Order', { exact: true }).selectOption('most expensive first');
      await waitUntil('the image first', async () => /sandbox-image|video/.test(await first.innerText()));
      expect(page.url()).toMatch(/preset=day&sort=cost$/);
      await shoot(page, 'logs-sorted');
      await first.click();
      const call = page.getByRole('dialog', { name: /^sandbox-/ });
      await call.getByRole('heading', { name: 'Cost breakdown' }).waitFor();
      expect(await shows(call.getByText('Total'))).toBe(true);
      await page.keyboard.press('Escape');
      await call.waitFor({ state: 'hidden' });
      expect(await page.getByRole('button', { name: 'Live' }).getAttribute('aria-pressed')).toBe('false');
      const least = page.getByLabel('Cost from, USD');
      expect(await least.count()).toBe(0);
      await page.getByRole('button', { name: 'More filters' }).click();
      await least.fill('0.015');
      await least.press('Enter');
      const list = page.getByRole('main').locator('tbody');
      await waitUntil('the cheap calls gone', async () => !/sandbox-chat/.test(await list.innerText()));
      // What is set is seen, also where the rest is folded.
      await page.getByRole('button', { name: 'Fewer filters' }).click();
      await page.getByLabel('Request ID').waitFor({ state: 'detached' });
      expect(await shows(page.getByRole('button', { name: 'More filters (1)' }))).toBe(true);
      expect(await least.inputValue()).toBe('0.015');
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await least.waitFor({ state: 'detached' });
    });

    it('keeps the columns that somebody chose', async () => {
      const { page } = stage;
      const latency = page.getByRole('columnheader', { name: 'Latency' });
      await latency.waitFor();
      await page.getByText('Columns', { exact: true }).click();
      await page.getByRole('checkbox', { name: 'Latency' }).uncheck();
      await latency.waitFor({ state: 'detached' });
      await page.reload();
      await page.getByRole('columnheader', { name: 'Cost' }).waitFor();
      expect(await latency.count()).toBe(0);
      await page.getByText('Columns', { exact: true }).click();
      await page.getByRole('button', { name: 'As before' }).click();
      expect(await shows(latency)).toBe(true);
    });

    it('folds the filters on a phone', async () => {
      const { page } = stage;
      await page.setViewportSize(NARROW);
      const model = page.getByRole('main').getByLabel('Model', { exact: true });
      await model.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Filters' }).click();
      expect(await shows(model)).toBe(true);
      await page.setViewportSize(WIDE);
    });
  });
}
