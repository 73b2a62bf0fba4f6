import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { openSignedIn } from './console-page.js';
import type { Stage } from './stage.js';

const A_MINUTE_MS = 60_000;

/** Pages of one call each, without an end. */
async function answerWithoutEnd(page: Page): Promise<{ count: number }> {
  const requests = { count: 0 };
  await page.route(/\/api\/v1\/logs\?/, async (route) => {
    requests.count += 1;
    const answer = await (
      await route.fetch({ url: route.request().url().replace('&cursor=more', '') })
    ).json();
    const data = answer.data
      .slice(0, 1)
      .map((call: object) => ({ ...call, request_id: `${requests.count}` }));
    await route.fulfill({ json: { data, next_cursor: 'more' } });
  });
  return requests;
}

/** Logs follow new calls, but not while somebody reads them. */
export function describeLiveLogs(stage: Stage): void {
  it('C11: logs are asked again while one page is shown, and stand still when they are read', async () => {
    const page = await openSignedIn(stage.product, stage.product.admin);
    const requests = await answerWithoutEnd(page);
    await page.clock.install();
    await page.goto('/logs');
    await page.locator('tbody tr').first().waitFor();
    const live = page.getByRole('button', { name: 'Live' });
    const isLive = async () => (await live.getAttribute('aria-pressed')) === 'true';
    await page.clock.runFor(A_MINUTE_MS);
    await waitUntil('the logs asked again', async () => requests.count > 1);
    expect(await isLive()).toBe(true);

    await page.getByRole('button', { name: 'Load more' }).click();
    await waitUntil('two rows', async () => (await page.locator('tbody tr').count()) === 2);
    const { count } = requests;
    await page.clock.runFor(A_MINUTE_MS);
    expect([await isLive(), requests.count]).toEqual([false, count]);

    await live.click();
    await waitUntil('one row again', async () => (await page.locator('tbody tr').count()) === 1);
    expect(await isLive()).toBe(true);
    await live.click();
    const paused = requests.count;
    await page.clock.runFor(A_MINUTE_MS);
    expect([await isLive(), requests.count]).toEqual([false, paused]);
    await page.unrouteAll({ behavior: 'wait' });
    await page.context().close();
  });
}
