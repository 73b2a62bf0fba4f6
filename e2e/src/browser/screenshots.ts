import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { type ConsoleUnderTest, goTo, NARROW, startSession, TABLET, WIDE } from './console-page.js';
import { DETAILS, VIEWS } from './views.js';

/** `npm run screenshots` wants screenshots; otherwise every view is drawn in each size, the narrow one in the dark, and no picture is made. */
const SAVES_SCREENSHOTS = process.env.SCREENSHOTS === 'true';
const FOLDER = fileURLToPath(new URL('../../../.screenshots/', import.meta.url));

/** What is to be scrolled sideways, but for programs: tables by their caption, or the page. */
export const CUT = `[document.documentElement, ...document.querySelectorAll('.overflow-x-auto:has(table)')]
  .filter((element) => element.scrollWidth > element.clientWidth)
  .map((element) => element.querySelector(':scope > table > caption')?.textContent ?? 'the page')`;

/** Has drawn what changed before. */
export const NEXT_FRAME =
  'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))';

const DRAWN_WITHIN_MS = 30_000;

const LOOKS = [
  { name: 'wide-light', viewport: WIDE, colorScheme: 'light' },
  { name: 'wide-dark', viewport: WIDE, colorScheme: 'dark' },
  { name: 'narrow-light', viewport: NARROW, colorScheme: 'light' },
  { name: 'narrow-dark', viewport: NARROW, colorScheme: 'dark' },
] as const;

/**
 * Draws every view in every look. Where screenshots are wanted they are for people to look at, and kept out of the sources.
 *
 * @returns views of which a table or the page itself is cut off at the side, on a wide or a narrow screen.
 */
export async function drawEveryView(product: ConsoleUnderTest): Promise<string[]> {
  const cut: string[] = [];
  const page = await product.openPage();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await shoot(page, 'login');
  await startSession(page, product, product.admin);
  await page.goto('/account');
  for (const [view, path, selector] of VIEWS) {
    await goTo(page, await page.locator(`nav a[href='${path}']`).innerText());
    await page.locator(selector).first().waitFor();
    cut.push(...(await findCuts(page, view)));
    await shoot(page, view);
  }
  for (const [view, list, name] of DETAILS) {
    await goTo(page, await page.locator(`nav a[href='${list}']`).innerText());
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.waitForURL(`**${list}/*`);
    await page.locator('tbody tr').first().waitFor();
    cut.push(...(await findCuts(page, view)));
    await shoot(page, view);
  }
  await page.goto('/logs?model=sandbox-chat');
  await page.locator('tbody tr').first().click();
  await page.getByTestId('call-cost').waitFor();
  await page.setViewportSize(NARROW);
  cut.push(...(await findCut(page)));
  await shoot(page, 'call');
  await page.context().close();
  return cut;
}

/** The screens on which a view is cut off at the side. */
async function findCuts(page: Page, view: string): Promise<string[]> {
  const cut: string[] = [];
  for (const viewport of [NARROW, TABLET, WIDE]) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: viewport === NARROW ? 'dark' : 'light' });
    for (const what of await findCut(page)) cut.push(`${view} at ${viewport.width}: ${what}`);
  }
  return cut;
}

/** A chart is drawn to the width of the screen only when it has learned of a change. */
function findCut(page: Page): Promise<string[]> {
  const drawn = page.waitForFunction(`(${CUT}).length === 0`, undefined, { timeout: DRAWN_WITHIN_MS });
  return drawn.then(
    () => [],
    () => page.evaluate<string[]>(CUT),
  );
}

/** Makes screenshots of what a page shows in every look, where they are wanted; the page is as before afterwards. */
export async function shoot(page: Page, view: string): Promise<void> {
  if (!SAVES_SCREENSHOTS) return;
  for (const { name, viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(FOLDER, `${view}-${name}.png`) });
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
}
