import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestServices, type TestServices } from '@mg/testkit';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from '../../clients/console-client.js';
import { waitUntil } from '../../wait-until.js';
import { type ConsoleUnderTest, signIn, startConsoleUnderTest } from '../console-page.js';
import { findFaults } from '../find-faults.js';
import { findViolations } from '../find-violations.js';
import { measureShift, MOST_SHIFT } from '../measure-shift.js';
import { NEXT_FRAME } from '../screenshots.js';
import { type Scene, SCENES, type Viewer } from './scenes.js';
import { seedHistory } from './seed-history.js';
import { MEMBER, PROJECT_MEMBER, PROJECT_VIEWER, seedOperator } from './seed-operator.js';

/** `npm run screenshots -- --matrix FOLDER` says where the pictures go. */
const FOLDER = process.env.SCREENSHOT_MATRIX ?? '';
const FAULTS = join(FOLDER, 'faults.txt');
const SEEDED_WITHIN_MS = 600_000;
/** A longer page is drawn from its top to here, in screens. */
const MOST_SCREENS = 2;
/** Of one step of a scene: the machine does nothing else. */
const STEP_WITHIN_MS = 15_000;

const SIZES = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
] as const;
/** Widths that alone are drawn, separated by commas; empty for all. */
const WIDTHS = process.env.SCREENSHOT_WIDTHS ?? '';
const DRAWN_SIZES = SIZES.filter(({ width }) => WIDTHS === '' || WIDTHS.split(',').includes(String(width)));
const LIGHTS = ['light', 'dark'] as const;
const LANGUAGES = ['en', 'zh'] as const;
const TOUCHED_WIDTH = 390;

/** Chooses a language as its field does, also where a dialog stands over that. */
const chooseLanguage = (language: string) => `(() => {
  const select = document.querySelector('select:has(> option[value=zh])');
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, '${language}');
  select.dispatchEvent(new Event('change', { bubbles: true }));
})()`;

/** Nothing waits for an answer. */
const LOADED = `document.querySelector('.animate-pulse') === null`;

const DIALOG_SCROLLS = `[...document.querySelectorAll('[role=dialog]')].at(-1)?.scrollHeight > [...document.querySelectorAll('[role=dialog]')].at(-1)?.clientHeight`;
const scrollDialog = (to: string) =>
  `[...document.querySelectorAll('[role=dialog]')].at(-1).scrollTo(0, ${to})`;

describe.runIf(FOLDER !== '')(
  'every view in every size, light and language (minutes: npm run screenshots -- --matrix FOLDER)',
  () => {
    let services: TestServices;
    let product: ConsoleUnderTest;
    const viewers = new Map<Viewer, Page>();

    beforeAll(async () => {
      await mkdir(FOLDER, { recursive: true });
      await writeFile(FAULTS, '');
      services = await startTestServices();
      const { databaseUrl: DATABASE_URL, redisUrl: REDIS_URL } = services;
      product = await startConsoleUnderTest(() => Promise.resolve({ DATABASE_URL, REDIS_URL }));
      const calls = await seedOperator(product, await ConsoleClient.login(product, product.admin));
      await seedHistory(DATABASE_URL, calls);
      viewers.set('nobody', await product.openPage());
      for (const [viewer, user] of [
        ['administrator', product.admin],
        ['member', MEMBER],
        ['project member', PROJECT_MEMBER],
        ['project viewer', PROJECT_VIEWER],
      ] as const) {
        const page = await product.openPage();
        await signIn(page, user);
        viewers.set(viewer, page);
      }
    }, SEEDED_WITHIN_MS);

    afterAll(async () => {
      await product?.stop();
      await services?.stop();
    });

    it.each(SCENES.map((scene) => [scene.name, scene] as const))('%s', async (name, scene) => {
      const page = viewers.get(scene.viewer);
      if (page === undefined) throw new Error(`nobody is signed in as ${scene.viewer}`);
      page.setDefaultTimeout(STEP_WITHIN_MS);
      const errorsBefore = product.errors.length;
      if (!scene.open) await noteShifts(page, scene);
      await openScene(page, scene);
      for (const language of LANGUAGES) {
        await page.evaluate(chooseLanguage(language));
        for (const size of DRAWN_SIZES) {
          await page.setViewportSize(size);
          await page.waitForFunction(NEXT_FRAME);
          await noteFaults(page, `${name} ${size.width} ${language}`, {
            isTouched: size.width === TOUCHED_WIDTH,
            isChinese: language === 'zh',
          });
          for (const colorScheme of LIGHTS) {
            await page.emulateMedia({ colorScheme });
            await draw(page, `${name}-${size.width}-${language}-${colorScheme}`);
            // A language changes words, not what stands where.
            if (language === 'zh') continue;
            const found = await findViolations(page, colorScheme === 'light' ? 'everything' : 'contrast');
            await note(`${name} ${size.width} ${colorScheme}`, found);
          }
        }
      }
      await page.unrouteAll({ behavior: 'wait' });
      expect(product.errors.slice(errorsBefore)).toEqual([]);
    });
  },
);

async function openScene(page: Page, { path, ready, open }: Scene): Promise<void> {
  await page.setViewportSize(SIZES[2]);
  await page.emulateMedia({ colorScheme: 'light' });
  // From one address to the same one with another hash a browser loads nothing.
  await page.goto('about:blank');
  await page.goto(path);
  await page.locator(ready).first().waitFor();
  await page.evaluate(chooseLanguage('en'));
  await waitUntilLoaded(page);
  await open?.(page);
  await waitUntilLoaded(page);
}

/** Scripts that wait in the page are forbidden there: it is asked again and again. */
function waitUntilLoaded(page: Page): Promise<unknown> {
  return waitUntil('nothing loads', () => page.evaluate<boolean>(LOADED), STEP_WITHIN_MS);
}

async function noteFaults(page: Page, what: string, look: Parameters<typeof findFaults>[1]): Promise<void> {
  await note(what, await findFaults(page, look));
}

async function note(what: string, faults: readonly string[]): Promise<void> {
  await appendFile(FAULTS, faults.map((fault) => `${what} ${fault}\n`).join(''));
}

/** What moves when data comes, on a phone and on a wide screen. */
async function noteShifts(page: Page, { name, path, ready }: Scene): Promise<void> {
  for (const size of DRAWN_SIZES.filter((drawn) => drawn === SIZES[0] || drawn === SIZES[2])) {
    await page.setViewportSize(size);
    const shift = await measureShift(page, path, ready);
    await note(`${name} ${size.width}`, shift > MOST_SHIFT ? [`shifts by ${shift}`] : []);
  }
}

/** The page from its top, or what is over it; of a dialog that is longer than the screen its end as well. */
async function draw(page: Page, name: string): Promise<void> {
  await page.waitForFunction(NEXT_FRAME);
  const isCovered = (await page.locator('[role=dialog]').count()) > 0;
  if (!isCovered) {
    await drawPage(page, join(FOLDER, `${name}.png`));
    return;
  }
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  if (!(await page.evaluate<boolean>(DIALOG_SCROLLS))) return;
  await page.evaluate(scrollDialog('1e6'));
  await page.screenshot({ path: join(FOLDER, `${name}-end.png`) });
  await page.evaluate(scrollDialog('0'));
}

async function drawPage(page: Page, path: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? SIZES[0];
  const whole = await page.evaluate<number>('document.documentElement.scrollHeight');
  const clip = { x: 0, y: 0, width, height: Math.min(whole, MOST_SCREENS * height) };
  await page.screenshot({ path, fullPage: true, clip });
}
