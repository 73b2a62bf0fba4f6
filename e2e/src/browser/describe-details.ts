import { describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { goTo } from './console-page.js';
import { shoot } from './screenshots.js';
import { callGateway, chatWith, makeKey, shows, type Stage, waitForLog } from './stage.js';

/** Channels, keys, users and wallets have pages of their own, with addresses that can be passed on. */
export function describeDetails(stage: Stage): void {
  describe('the page of', () => {
    it('a channel shows its models, health, failed calls and changes', async () => {
      const { page } = stage;
      await goTo(page, 'Channels');
      await page.getByRole('link', { name: 'sandbox', exact: true }).click();
      await page.getByRole('heading', { name: 'sandbox', level: 1 }).waitFor();
      await page.reload();
      expect(await shows(page.getByRole('row', { name: /sandbox-chat.*\/M/ }))).toBe(true);
      for (const name of ['Keys', 'Limits', 'Health', 'Last failed calls', 'Changes']) {
        expect(await shows(page.getByRole('heading', { name, exact: true }))).toBe(true);
      }
      await shoot(page, 'channel');
      await page.getByRole('link', { name: 'See in the logs' }).first().click();
      expect(new URL(page.url()).searchParams.get('channel')).toBe('sandbox');
    });

    it('a channel adds and removes keys, and shows none', async () => {
      const { page } = stage;
      await goTo(page, 'Channels');
      await page.getByRole('link', { name: 'listed', exact: true }).click();
      await page.getByRole('button', { name: 'Add a key' }).click();
      const form = page.getByRole('dialog', { name: 'Add a key' });
      await form.getByLabel('API key of the provider').fill('sk-second-key-of-the-channel-9876');
      await form.getByRole('button', { name: 'Add a key' }).click();
      await form.waitFor({ state: 'hidden' });
      const added = page.getByRole('row', { name: /sk-\.\.\.9876.*in use/ });
      expect(await shows(added)).toBe(true);
      expect(await page.content()).not.toContain('second-key-of');
      await added.getByRole('button', { name: 'Disable' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
      const disabled = page.getByRole('row', { name: /sk-\.\.\.9876.*disabled/ });
      await disabled.getByRole('button', { name: 'Enable' }).click();
      await added.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await added.waitFor({ state: 'detached' });
      expect(await shows(page.getByRole('row', { name: /sk-\.\.\.-key.*in use/ }))).toBe(true);
    });

    it('a key that leaked is rotated: the old one works until the programs have the new one', async () => {
      const { page } = stage;
      const leaked = await makeKey(stage, 'leaked');
      await goTo(page, 'API keys');
      await page.getByRole('link', { name: 'leaked', exact: true }).click();
      await page.getByRole('heading', { name: 'leaked', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Rotate' }).click();
      const question = page.getByRole('dialog', { name: /new key\?/ });
      const choice = question.getByLabel('The old key stops');
      expect(await shows(question.getByText('Programs are refused until they have the new key.'))).toBe(true);
      await choice.selectOption('in 1 hour');
      expect(await shows(question.getByText(/^Old key works until .*\d:\d\d/))).toBe(true);
      await question.getByRole('button', { name: 'Rotate' }).click();
      const key = await page.getByTestId('new-key').innerText();
      await page.getByRole('button', { name: 'I have copied it' }).click();
      const tryKey = async (text: string) => (await callGateway(stage, text, '/v1/models')).status;
      expect([await tryKey(key), await tryKey(leaked)]).toEqual([200, 200]);
      await page.getByRole('button', { name: 'Stop it now' }).click();
      await waitUntil('the old key refused', async () => (await tryKey(leaked)) === 401);
      expect(await tryKey(key)).toBe(200);
      await page.getByText('Old key works until').waitFor({ state: 'detached' });
      await page.reload();
      const rotation = page.getByRole('row', { name: /rotated a key.*old key’s expiry/ });
      expect(await shows(rotation.first())).toBe(true);
    });

    it('a key shows what it may and what it called, and ends with the key', async () => {
      const { page } = stage;
      const key = await makeKey(stage, 'with a page');
      const call = await callGateway(stage, key, '/v1/chat/completions', chatWith('sandbox-chat'));
      await waitForLog(stage, call.requestId);
      await goTo(page, 'API keys');
      await page.getByRole('link', { name: 'with a page', exact: true }).click();
      await page.getByRole('heading', { name: 'with a page', level: 1 }).waitFor();
      expect(await shows(page.getByRole('button', { name: 'Open the call to sandbox-chat' }))).toBe(true);
      expect(await shows(page.getByRole('row', { name: /created a key/ }))).toBe(true);
      await shoot(page, 'key');
      await page
        .getByRole('group', { name: 'Actions for with a page' })
        .getByRole('button', { name: 'Delete' })
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    });

    it('a user shows their wallets and keys, a wallet its limits and changes', async () => {
      const { page, product } = stage;
      await makeKey(stage, 'of a user');
      await goTo(page, 'Users');
      await page.getByRole('main').getByRole('link', { name: product.admin.email, exact: true }).click();
      await page.getByRole('heading', { name: product.admin.email, level: 1 }).waitFor();
      expect(await shows(page.getByRole('heading', { name: 'Last calls charged to their wallets' }))).toBe(
        true,
      );
      expect(await shows(page.getByRole('table', { name: 'Wallets' }).getByRole('link').first())).toBe(true);
      const keys = page.getByRole('table', { name: 'API keys' });
      expect(await shows(keys.getByRole('row', { name: /of a user.*active/ }))).toBe(true);
      await shoot(page, 'user');
      await page.getByRole('link', { name: 'See all keys' }).click();
      await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
      expect(await shows(page.getByRole('link', { name: 'of a user', exact: true }))).toBe(true);
      const user = page.getByRole('combobox', { name: 'User', exact: true });
      await waitUntil('the user named', async () => (await user.inputValue()) === product.admin.email);
      await goTo(page, 'Wallets');
      await page.getByRole('main').locator('tbody a').first().click();
      expect(await shows(page.getByRole('heading', { name: 'Limits' }))).toBe(true);
      expect(await shows(page.getByRole('heading', { name: 'Changes' }))).toBe(true);
    });
  });
}
