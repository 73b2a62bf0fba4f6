import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { goTo, visit } from './console-page.js';
import { callGateway, chatWith, makeKey, shows, type Stage, waitForLog } from './stage.js';

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

/** Rows of the view's list, without the heading. */
function listRows(page: Page): Locator {
  return page.getByRole('main').locator('tbody tr');
}

async function setFilter(page: Page, label: string, value: string): Promise<void> {
  const inputs = page.getByRole('main').locator('input, select');
  const filter = inputs.and(page.getByLabel(label, { exact: true }));
  if (!(await filter.isVisible())) await page.getByRole('button', { name: 'More filters' }).click();
  if ((await filter.evaluate((element) => element.tagName)) === 'SELECT') {
    await filter.selectOption({ label: value });
  } else {
    await filter.fill(value);
    if ((await filter.getAttribute('role')) === 'combobox') {
      // The list may still be that of before.
      const first = page.getByRole('main').locator('[role=option]').first();
      await first.filter({ hasText: value }).waitFor();
    }
    await filter.press('Enter');
  }
}

interface FilterCase {
  readonly label: string;
  readonly value: string;
  /** The name of the filter in the page's address. */
  readonly field: string;
  /** What each row shows that it leaves. */
  readonly leaves: RegExp;
}

/**
 * Sets a filter: every row that is left shows it, some are gone, clearing brings all back, and the address alone narrows again.
 */
async function expectToNarrow(page: Page, { label, value, field, leaves }: FilterCase): Promise<void> {
  const rows = listRows(page);
  await rows.first().waitFor();
  const before = await rows.count();
  await setFilter(page, label, value);
  const isNarrowed = async () => {
    const texts = await rows.allInnerTexts();
    return texts.length > 0 && texts.length < before && texts.every((text) => leaves.test(text));
  };
  await waitUntil(`${label} narrowed to ${value}`, isNarrowed);
  const { pathname, search, searchParams } = new URL(page.url());
  expect(searchParams.get(field)).not.toBeNull();
  await clear(page, label, before);
  await visit(page, pathname + search);
  await waitUntil(`${label} kept by the address`, isNarrowed);
  await clear(page, label, before);
}

async function clear(page: Page, label: string, before: number): Promise<void> {
  await page.getByRole('button', { name: 'Clear filters' }).click();
  const rows = listRows(page);
  await waitUntil(`${label} cleared`, async () => (await rows.count()) >= before);
  expect(new URL(page.url()).search).toBe('');
}

/** Lists are narrowed by filters that stand in the page's address. */
export function describeFilters(stage: Stage): void {
  describe('filters', () => {
    beforeAll(async () => {
      const key = await makeKey(stage, 'filtered');
      const calls = [
        await callGateway(stage, key, '/v1/chat/completions', chatWith('sandbox-chat')),
        await callGateway(stage, key, '/v1/embeddings', { model: 'sandbox-embedding', input: 'Hello.' }),
        await callGateway(stage, key, '/v1/chat/completions', chatWith('acme-chat')),
      ];
      const order = {
        model: 'sandbox-native-video',
        content: [{ type: 'text', text: 'Waves' }],
        duration: 5,
      };
      const ordered = await callGateway(stage, key, '/videonative/api/v3/contents/generations/tasks', order);
      expect(ordered.status).toBe(200);
      for (const { requestId } of calls) await waitForLog(stage, requestId);
    });

    describe('the filters of the logs', () => {
      it.each([
        { label: 'Model', value: 'sandbox-embedding', field: 'model', leaves: /sandbox-embedding/ },
        { label: 'Status', value: '404', field: 'status', leaves: /404/ },
        { label: 'Endpoint', value: '/v1/embeddings', field: 'endpoint', leaves: /sandbox-embedding/ },
        { label: 'Key', value: 'filtered', field: 'token_id', leaves: /filtered/ },
        { label: 'Result', value: 'errors', field: 'failed', leaves: /404/ },
        { label: 'Channel', value: 'steady', field: 'channel', leaves: /steady/ },
        { label: 'Failed over', value: 'yes', field: 'failed_over', leaves: /failed over/i },
        { label: 'Error code', value: 'model_not_found', field: 'error_code', leaves: /model_not_found/ },
      ])('$label', async (filter) => {
        await goTo(stage.page, 'Logs');
        await expectToNarrow(stage.page, filter);
      });

      it('Result: callers’ errors apart from providers’, from the overview', async () => {
        const { page } = stage;
        await goTo(page, 'Overview');
        const errors = page.getByRole('group', { name: 'Error rate' });
        expect(await shows(errors.getByRole('link', { name: /^\d+ × 5xx$/ }))).toBe(true);
        await errors.getByRole('link', { name: /^[1-9]\d* × 4xx$/ }).click();
        await waitUntil('the class in the address', () => page.url().includes('error_class=client'));
        expect(await page.getByLabel('Result', { exact: true }).inputValue()).toBe('client');
        const rows = listRows(page);
        await waitUntil('errors of callers alone', async () => {
          const texts = await rows.allInnerTexts();
          return texts.length > 0 && texts.every((text) => /\b4\d\d\b/.test(text));
        });
        await setFilter(page, 'Result', 'server errors (5xx)');
        await waitUntil('the other class', () => page.url().includes('error_class=server'));
        await page.getByRole('button', { name: 'Clear filters' }).click();
      });

      it('From and To: today is a day of its own', async () => {
        const { page } = stage;
        const today = await page.evaluate<string>(
          `new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 10)`,
        );
        const rows = listRows(page);
        await setFilter(page, 'From', today);
        await setFilter(page, 'To', today);
        await waitUntil('both in the address', () => /from=.*to=/.test(page.url()));
        expect(await shows(rows.first())).toBe(true);
        await setFilter(page, 'From', '');
        await setFilter(page, 'To', '2020-01-01');
        expect(await shows(page.getByText('No calls to show'))).toBe(true);
        await page.getByRole('button', { name: 'Clear filters' }).click();
        expect(await shows(rows.first())).toBe(true);
      });

      it('several at once, down to nothing, also when the page is loaded again', async () => {
        const { page } = stage;
        await setFilter(page, 'Model', 'sandbox-embedding');
        await setFilter(page, 'Status', '404');
        expect(await shows(page.getByText('No calls to show'))).toBe(true);
        expect(page.url()).toMatch(/model=sandbox-embedding&status=404$/);
        await page.reload();
        expect(await shows(page.getByText('No calls to show'))).toBe(true);
        await page.getByRole('button', { name: 'Clear filters' }).click();
      });
    });

    describe('the filters of the video tasks', () => {
      it.each([
        { label: 'Model', value: 'sandbox-native-video', field: 'model', leaves: /sandbox-native-video/ },
        { label: 'Key', value: 'filtered', field: 'token_id', leaves: /sandbox-native-video/ },
      ])('$label', async (filter) => {
        await goTo(stage.page, 'Video tasks');
        await expectToNarrow(stage.page, filter);
      });

      it('State', async () => {
        const { page } = stage;
        await setFilter(page, 'State', 'failed');
        expect(await shows(page.getByText('No video tasks to show'))).toBe(true);
        expect(page.url()).toContain('state=failed');
        await setFilter(page, 'State', 'succeeded');
        expect(await shows(listRows(page).filter({ hasText: 'succeeded' }).first())).toBe(true);
        await page.getByRole('button', { name: 'Clear filters' }).click();
      });
    });

    describe('the filters of the audit log', () => {
      it.each([
        { label: 'Action', value: 'rotated a key', field: 'action', leaves: /token\.rotate/ },
        { label: 'Target type', value: 'channel', field: 'target_type', leaves: /channel\./ },
        { label: 'User', value: 'member-of-the', field: 'actor_id', leaves: /member-of-the/ },
      ])('$label', async (filter) => {
        await goTo(stage.page, 'Audit log');
        await expectToNarrow(stage.page, filter);
      });

      it('Target ID', async () => {
        const { page } = stage;
        const rotation = page.getByRole('button', { name: 'Open token.rotate' }).first();
        const target = listRows(page).filter({ has: rotation }).first().getByRole('cell').nth(2);
        const key = await waitUntil('the key named', async () => {
          const name = await target.locator('[title]').getAttribute('title');
          return name !== null && !UUID.test(name) && name;
        });
        await rotation.click();
        const [id = ''] = UUID.exec(await page.getByRole('dialog').innerText()) ?? [];
        await page.keyboard.press('Escape');
        await expectToNarrow(page, {
          label: 'Target ID',
          value: id,
          field: 'target_id',
          // The key is named there, its id is in the details.
          leaves: new RegExp(key.replaceAll(/\W/g, '.')),
        });
      });
    });
  });
}
