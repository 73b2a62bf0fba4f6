import { describe, expect, it } from 'vitest';
import { goTo } from './console-page.js';
import { shoot } from './screenshots.js';
import { callGateway, chatWith, makeKey, shows, type Stage } from './stage.js';

/** Limits, budgets and routing are set on the page, and seen where they bite. */
export function describeLimits(stage: Stage): void {
  describe('limits and budgets', () => {
    it('of a key: a budget is spent, reported and raised', async () => {
      const { page } = stage;
      const key = await makeKey(stage, 'budgeted');
      await goTo(page, 'API keys');
      const chat = () => callGateway(stage, key, '/v1/chat/completions', chatWith('sandbox-chat'));
      const actions = page.getByRole('group', { name: 'Actions for budgeted' });
      const setBudget = async (usd: string) => {
        await actions.getByRole('button', { name: 'Edit' }).click();
        const form = page.getByRole('dialog', { name: /budgeted/ });
        await form.getByLabel('Daily budget, USD').fill(usd);
        await form.getByLabel('Requests per minute').fill('1000');
        await form.getByRole('button', { name: 'Save' }).click();
        await form.waitFor({ state: 'hidden' });
      };
      await setBudget('0.000000001');
      expect((await chat()).status).toBe(429);
      await page.reload();
      expect(await shows(page.getByRole('row', { name: /budgeted.*budget exhausted/ }))).toBe(true);
      await actions.getByRole('button', { name: 'Edit' }).click();
      const form = page.getByRole('dialog', { name: /budgeted/ });
      expect(await shows(form.getByText('budget exhausted'))).toBe(true);
      expect(await form.getByLabel('Requests per minute').inputValue()).toBe('1000');
      await shoot(page, 'key-form');
      await form.getByRole('button', { name: 'Cancel' }).click();
      await setBudget('5');
      expect((await chat()).status).toBe(200);
      await page.reload();
      expect(await shows(page.getByRole('row', { name: /budgeted.*active/ }))).toBe(true);
    });

    it('of a wallet that is made alone', async () => {
      const { page, product } = stage;
      await goTo(page, 'Wallets');
      await page.getByRole('button', { name: 'New wallet' }).click();
      const form = page.getByRole('dialog', { name: 'New wallet' });
      await form.getByLabel('Name').fill('research');
      await form.getByRole('combobox', { name: 'Owner' }).fill(product.admin.email.slice(0, 10));
      await form.getByRole('option', { name: product.admin.email }).click();
      await form.getByLabel('Credit limit').fill('none');
      await form.getByRole('button', { name: 'Create' }).click();
      await form.getByRole('alert').waitFor();
      await form.getByLabel('Credit limit').fill('7.50');
      await form.getByRole('button', { name: 'Create' }).click();
      await form.waitFor({ state: 'hidden' });
      expect(await shows(page.getByRole('row', { name: /research.*\$7\.50/ }))).toBe(true);
    });

    it('of wallets and users', async () => {
      const { page, product } = stage;
      await goTo(page, 'Wallets');
      await page.getByRole('button', { name: 'Limits', exact: true }).first().click();
      const wallet = page.getByRole('dialog');
      await wallet.getByLabel('Monthly budget, USD').fill('1000');
      await wallet.getByRole('button', { name: 'Save' }).click();
      await wallet.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Limits', exact: true }).first().click();
      expect(await shows(wallet.getByRole('progressbar', { name: 'Monthly budget' }))).toBe(true);
      await wallet.getByRole('button', { name: 'Cancel' }).click();

      await goTo(page, 'Users');
      const actions = page.getByRole('group', { name: `Actions for ${product.admin.email}` });
      await actions.getByRole('button', { name: 'Edit' }).click();
      const user = page.getByRole('dialog', { name: product.admin.email });
      await user.getByLabel('Calls at the same time').fill('many');
      await user.getByRole('button', { name: 'Save' }).click();
      await user.getByRole('alert').waitFor();
      expect(await user.getByLabel('Calls at the same time').getAttribute('aria-invalid')).toBe('true');
      await user.getByLabel('Calls at the same time').fill('500');
      await user.getByRole('button', { name: 'Save' }).click();
      await user.waitFor({ state: 'hidden' });
    });

    it('of models and channels, and how they are routed', async () => {
      const { page } = stage;
      await goTo(page, 'Models');
      const open = async () => {
        await page.getByRole('button', { name: 'sandbox-chat', exact: true }).click();
        await page.getByRole('button', { name: 'Change limits and price' }).click();
        return page.getByRole('dialog', { name: 'sandbox-chat', exact: true }).last();
      };
      let form = await open();
      await form.getByLabel('Order of channels of equal priority').selectOption('latency');
      await form.getByLabel('Calls of one conversation stay').check();
      await form.getByLabel('Fallback models').fill('no-such-model');
      await form.getByLabel('the prompt is too long').check();
      await form.getByLabel('First token of a stream within').fill('20s');
      await form.getByLabel('Tokens per minute').fill('5000000');
      await form.getByRole('button', { name: 'Save' }).click();
      expect(await shows(form.getByText('There is no model "no-such-model".'))).toBe(true);
      await form.getByLabel('Fallback models').fill('');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByLabel('Fallback models').waitFor({ state: 'hidden' });
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      form = await open();
      expect(await form.getByLabel('Order of channels of equal priority').inputValue()).toBe('latency');
      expect(await form.getByLabel('First token of a stream within').inputValue()).toBe('20s');
      expect(await form.getByLabel('Tokens per minute').inputValue()).toBe('5000000');
      await shoot(page, 'model-form');
      await form.getByRole('button', { name: 'Cancel' }).click();
      await form.getByLabel('Fallback models').waitFor({ state: 'hidden' });
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });

      await goTo(page, 'Channels');
      const actions = page.getByRole('group', { name: 'Open sandbox' });
      await actions.getByRole('button', { name: 'Edit' }).click();
      const channel = page.getByRole('dialog', { name: /sandbox/ });
      await channel.getByLabel('When a non-streaming caller disconnects').selectOption('cancel');
      await channel.getByLabel('Requests per day').fill('9000000');
      await channel.getByRole('button', { name: 'Save' }).click();
      await channel.waitFor({ state: 'hidden' });
      await actions.getByRole('button', { name: 'Edit' }).click();
      expect(await channel.getByLabel('When a non-streaming caller disconnects').inputValue()).toBe('cancel');
      await channel.getByRole('button', { name: 'Cancel' }).click();
    });
  });
}
