import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { waitUntil } from '../wait-until.js';
import { NEXT_FRAME } from './screenshots.js';

/** Answers come later than the frame of a view, as over a network. */
const ANSWERS_AFTER_MS = 100;

/** More than this is seen, by half of what is called good (https://web.dev/articles/cls). */
export const MOST_SHIFT = 0.05;

/** How far what was shown has moved since the page was loaded, as the browser counts it, summed up. */
const SHIFTS = `new Promise((counted) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) sum += hadRecentInput ? 0 : value;
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => counted(sum), 50);
})`;

/** Opens a view while the API takes its time. @returns by how much what was shown moved when data came. */
export async function measureShift(page: Page, path: string, ready: string): Promise<number> {
  let unanswered = 0;
  await page.route('**/api/v1/**', async (route) => {
    unanswered += 1;
    await sleep(ANSWERS_AFTER_MS);
    await route.fulfill({ response: await route.fetch() });
    unanswered -= 1;
  });
  await page.goto('about:blank');
  await page.goto(path);
  await page.locator(ready).first().waitFor();
  // An answer may lead to another question.
  await waitUntil('every answer drawn', async () => {
    await page.evaluate(NEXT_FRAME);
    return unanswered === 0;
  });
  const shift = await page.evaluate<number>(SHIFTS);
  await page.unrouteAll({ behavior: 'wait' });
  return Math.round(shift * 1_000) / 1_000;
}
