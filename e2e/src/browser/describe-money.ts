import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EntryRow } from '../clients/console-client.js';
import { waitUntil } from '../wait-until.js';
import { goTo } from './console-page.js';
import { shoot } from './screenshots.js';
import { callGateway, chatWith, makeKey, shows, type Stage, waitForLog } from './stage.js';

const IMAGE_REQUEST = { model: 'sandbox-image', prompt: 'A lighthouse', n: 1 };
const IMAGE_PRICE = 0.02;
/** Lists ask again every five seconds. */
const REFRESHED_WITHIN_MS = 15_000;
const NEW_OUTPUT_PRICE = '123.456';

/** What a shown amount is worth, in USD. */
async function readUsd(shown: Locator): Promise<number> {
  return Number((await shown.innerText()).replaceAll(/[^\d.-]/g, ''));
}

/** A figure of the overview. */
async function readFigure(page: Page, title: string): Promise<number> {
  const figure = page.getByRole('group', { name: title, exact: true }).getByText(/^\$/).first();
  await figure.waitFor();
  return readUsd(figure);
}

/** Balance of the first wallet. */
function balanceOn(page: Page): Locator {
  return page
    .getByRole('row', { name: /^first/ })
    .getByRole('cell', { name: /^\$/ })
    .first();
}

/** The lines of the bill that the drawer of a call shows, each as its cells. */
async function readBill(page: Page, requestId: string): Promise<string[][]> {
  await page.goto(`/logs?call=${requestId}`);
  const drawer = page.getByRole('dialog', { name: 'sandbox-chat' });
  await drawer.getByText('Total').waitFor();
  const rows = await drawer.getByRole('table').getByRole('row').all();
  return Promise.all(rows.slice(1).map((row) => row.getByRole('cell').allInnerTexts()));
}

/** Whether a bill's lines are quantity times price, to the nano-dollar, and sum to its total. */
function addsUp(bill: readonly (readonly string[])[]): boolean {
  const nano = (text = '') => Math.round(Number(text.replace(/[$,]/g, '')) * 1e9);
  const lines = bill.slice(0, -1);
  const areProducts = lines.every(([, quantity, price = '', amount]) => {
    const [rate, ofWhat = ''] = price.split('\n');
    const units = Number(quantity?.replaceAll(',', '')) / (ofWhat.includes('per million') ? 1e6 : 1);
    return Math.ceil(units * nano(rate)) === nano(amount);
  });
  const sum = lines.reduce((total, line) => total + nano(line[3]), 0);
  return areProducts && sum === nano(bill.at(-1)?.at(-1));
}

/** A key from its making to its end, and prices that change: what a call costs is seen wherever money is shown. */
export function describeMoney(stage: Stage): void {
  describe('what a call costs', () => {
    let key: string;
    let oldCall: string;

    beforeAll(async () => {
      key = await makeKey(stage, 'spender');
    });

    it('is seen in the logs, in the wallet and in the overview', async () => {
      const { page } = stage;
      await goTo(page, 'Wallets');
      const balance = await readUsd(balanceOn(page));
      await goTo(page, 'Overview');
      const spend = await readFigure(page, 'Spend');

      const { status, requestId } = await callGateway(stage, key, '/v1/images/generations', IMAGE_REQUEST);
      expect(status).toBe(200);
      await waitForLog(stage, requestId);
      await waitForCharge(stage, requestId);

      await goTo(page, 'Logs');
      const call = page.getByRole('row', { name: /sandbox-image.*spender/ });
      expect(await shows(call.getByRole('cell', { name: '$0.02', exact: true }))).toBe(true);
      // As it is now: the view would show what it knew a moment ago until it asks again.
      await page.goto('/wallets');
      await waitUntil(
        'the balance moved',
        async () => {
          const moved = balance - (await readUsd(balanceOn(page)));
          return Math.abs(moved - IMAGE_PRICE) < IMAGE_PRICE / 2;
        },
        REFRESHED_WITHIN_MS,
      );
      await page.getByRole('link', { name: 'first' }).click();
      const charge = page.getByRole('row', { name: /charge/ }).first();
      expect(await shows(charge.getByRole('cell', { name: '−$0.02', exact: true }))).toBe(true);
      await page.goto('/');
      await waitUntil(
        'the spend moved',
        async () => (await readFigure(page, 'Spend')) > spend,
        REFRESHED_WITHIN_MS,
      );
      expect(await shows(page.getByText('Days in UTC').first())).toBe(true);
      expect(await readFigure(page, 'Balance')).toBeCloseTo(balance - IMAGE_PRICE, 1);
    });

    it('is explained by the price at the time, line by line, when the price has changed', async () => {
      const { page } = stage;
      oldCall = (await callGateway(stage, key, '/v1/chat/completions', chatWith('sandbox-chat'))).requestId;
      await goTo(page, 'Models');
      await page.getByRole('button', { name: 'sandbox-chat', exact: true }).click();
      const model = page.getByRole('dialog', { name: 'sandbox-chat' }).first();
      await model.getByRole('button', { name: 'Change limits and price' }).click();
      await page.getByLabel('Output, per million tokens').fill(NEW_OUTPUT_PRICE);
      await shoot(page, 'price-form');
      await page.getByRole('button', { name: 'Save' }).click();
      await model.getByText(`$${NEW_OUTPUT_PRICE}`).first().waitFor();
      await page.keyboard.press('Escape');

      const outputPrice = (bill: readonly (readonly string[])[]) =>
        bill.find(([meter]) => meter?.startsWith('Output'))?.[2]?.split('\n');
      const newCall = await waitForNewPrice(stage, key);
      const oldBill = await readBill(page, oldCall);
      const newBill = await readBill(page, newCall);
      expect(outputPrice(newBill)).toEqual([`$${NEW_OUTPUT_PRICE}`, 'per million tokens']);
      expect(outputPrice(oldBill)?.[0]).not.toBe(`$${NEW_OUTPUT_PRICE}`);
      expect([addsUp(oldBill), addsUp(newBill)]).toEqual([true, true]);
      const version = page.getByRole('dialog').getByTestId('price-version');
      const newVersion = await version.innerText();
      await readBill(page, oldCall);
      expect(await version.innerText()).not.toBe(newVersion);
      await page.keyboard.press('Escape');
    });

    it('is nothing for a key that was rotated: it is refused', async () => {
      const { page } = stage;
      await goTo(page, 'API keys');
      const actions = page.getByRole('group', { name: 'Actions for spender' });
      await actions.getByRole('button', { name: 'Rotate' }).click();
      const question = page.getByRole('dialog', { name: /new key\?/ });
      await question.getByRole('button', { name: 'Rotate' }).click();
      const newKey = await page.getByTestId('new-key').innerText();
      await page.getByRole('button', { name: 'I have copied it' }).click();
      const tryKey = async (text: string) => (await callGateway(stage, text, '/v1/models')).status;
      await waitUntil('the old key refused', async () => (await tryKey(key)) === 401);
      expect(await tryKey(newKey)).toBe(200);
    });
  });
}

/** Billing charges a moment after the answer. */
async function waitForCharge({ api }: Stage, requestId: string): Promise<void> {
  const { id } = await api.findWallet('first');
  await waitUntil('the charge', async () => {
    const entries = await api.demand<{ data: readonly EntryRow[] }>('GET', `/wallets/${id}/entries?limit=20`);
    return entries.data.some((entry) => entry.request_id === requestId);
  });
}

/** Calls until a call is charged by the new price: a gateway learns of it within a second. @returns the request id. */
function waitForNewPrice(stage: Stage, key: string): Promise<string> {
  return waitUntil('a call at the new price', async () => {
    const { requestId } = await callGateway(stage, key, '/v1/chat/completions', chatWith('sandbox-chat'));
    const { lines } = await waitForLog(stage, requestId);
    return lines.some((line) => line.unit_price === NEW_OUTPUT_PRICE) && requestId;
  });
}
