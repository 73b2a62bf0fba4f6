import { describe, expect, it } from 'vitest';
import { goTo, UPSTREAM_KEY } from './console-page.js';
import { shoot } from './screenshots.js';
import { shows, type Stage } from './stage.js';

/** Channels that fail and are mended, codes that are handed out, and how the system is. */
export function describeAdministrators(stage: Stage): void {
  describe('administrators', () => {
    it('see why a channel fails, and mend it', async () => {
      const { page } = stage;
      await goTo(page, 'Channels');
      await page.getByRole('button', { name: 'New channel' }).click();
      const form = page.getByRole('dialog', { name: 'New channel' });
      await form.getByLabel('Name').fill('acme');
      await form.getByLabel('Type').selectOption('openai-compatible');
      await form.getByLabel('Base URL').fill(`${stage.product.upstream.url}/v1`);
      await form.getByLabel('API key of the provider').fill('sk-a-wrong-provider-key');
      await form.getByLabel('Models').fill('acme-chat: plain');
      await shoot(page, 'channel-form');
      await form.getByRole('button', { name: 'Create' }).click();
      const actions = page.getByRole('group', { name: 'Open acme' });
      await actions.getByRole('button', { name: 'Test' }).click();
      await page.getByText(/Test failed/).waitFor();

      await actions.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: /acme/ });
      await edit.waitFor();
      const alignment = `getComputedStyle(document.querySelector('[role=dialog]')).textAlign`;
      expect(await page.evaluate<string>(alignment)).toBe('start');
      await edit.getByLabel('API key of the provider').fill(UPSTREAM_KEY);
      await edit.getByRole('button', { name: 'Save' }).click();
      await edit.waitFor({ state: 'hidden' });
      await actions.getByRole('button', { name: 'Test' }).click();
      expect(await shows(page.getByText(/Responded in \d+ ms/))).toBe(true);
      expect(await shows(page.getByText('Calls to acme-chat are refused: there is no such model'))).toBe(
        true,
      );
      expect(await shows(page.getByRole('row', { name: /acme.*idle.*1 model refused/ }))).toBe(true);
    });

    it('fill in what a type of channel asks for, and learn which setting is wrong', async () => {
      const { page } = stage;
      await goTo(page, 'Channels');
      await page.getByRole('button', { name: 'New channel' }).click();
      const form = page.getByRole('dialog', { name: 'New channel' });
      await form.getByLabel('Name').fill('rented cloud');
      await form.getByLabel('Type').selectOption('bedrock');
      await form.getByLabel('Models').fill('claude: anthropic.claude-sonnet-4-5-v1:0');
      await form.getByLabel('Region').fill('somewhere');
      await form.getByText('3 optional settings').click();
      await form.getByLabel('Access key id').fill('AKIAEXAMPLE');
      await form.getByLabel('Secret access key').fill('a-secret-that-nobody-sees');
      await form.getByLabel('Timeout between chunks').fill('20s');
      await form.getByRole('button', { name: 'Create' }).click();
      await form.getByRole('alert').waitFor();
      expect(await form.getByLabel('Region').getAttribute('aria-invalid')).toBe('true');
      await shoot(page, 'channel-settings');
      await form.getByLabel('Region').fill('eu-central-1');
      await form.getByRole('button', { name: 'Create' }).click();
      await form.waitFor({ state: 'hidden' });

      const actions = page.getByRole('group', { name: 'Open rented cloud' });
      await actions.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: /rented cloud/ });
      expect(await edit.getByLabel('Region').inputValue()).toBe('eu-central-1');
      expect(await edit.getByLabel('Access key id').inputValue()).toBe('AKIAEXAMPLE');
      expect(await edit.getByLabel('Timeout between chunks').inputValue()).toBe('20s');
      expect(await edit.getByLabel('Secret access key').inputValue()).toBe('');
      expect(await edit.innerText()).toContain('Set; leave empty to keep it.');
      await edit.getByRole('button', { name: 'Save' }).click();
      await edit.waitFor({ state: 'hidden' });
      await actions.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await actions.waitFor({ state: 'hidden' });
    });

    it('hand out codes, which are money once', async () => {
      const { page } = stage;
      await goTo(page, 'Redemption codes');
      await page.getByRole('button', { name: 'New codes' }).first().click();
      const form = page.getByRole('dialog', { name: 'New codes' });
      await form.getByLabel('Value').fill('5');
      await form.getByRole('button', { name: 'Create' }).click();
      const code = await page.getByLabel('Redemption codes', { exact: true }).innerText();
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 5);
      await page.getByRole('button', { name: 'I have copied it' }).click();

      await goTo(page, 'Wallets');
      const redeem = async () => {
        await page.getByRole('button', { name: 'Redeem a code' }).click();
        await page.getByLabel('Code', { exact: true }).fill(code);
        await page.getByRole('button', { name: 'Redeem', exact: true }).click();
      };
      await redeem();
      const balance = page.getByRole('cell', { name: /^\$14\.\d{2,9}$/ }).first();
      expect(await shows(balance)).toBe(true);
      await redeem();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      expect(await shows(balance)).toBe(true);
    });

    it('see how the system is', async () => {
      const { page } = stage;
      await goTo(page, 'System health');
      expect(await shows(page.getByRole('row', { name: /billing.*alive/ }))).toBe(true);
      expect(await shows(page.getByRole('row', { name: /sandbox healthy \d+ succeeded, 0 failed/ }))).toBe(
        true,
      );
      expect(await shows(page.getByRole('row', { name: /acme idle/ }))).toBe(true);
    });

    it('see the settings by what they are about, and find one', async () => {
      const { page } = stage;
      await goTo(page, 'Settings');
      const retention = page.getByRole('table', { name: 'Retention' });
      expect(await shows(retention.getByText('RETENTION_LOGS_DAYS'))).toBe(true);
      expect(await retention.getByText('OTEL_SERVICE_NAME').count()).toBe(0);
      await page.getByRole('main').getByLabel('Search').fill('otel_');
      await retention.waitFor({ state: 'detached' });
      const traces = page.getByRole('table', { name: 'Logs, metrics and traces' });
      expect(await shows(traces.getByText('OTEL_SERVICE_NAME'))).toBe(true);
      expect(await page.getByRole('main').getByRole('table').count()).toBe(1);
    });

    it('find their changes in the audit log', async () => {
      const { page } = stage;
      await goTo(page, 'Audit log');
      expect(await shows(page.getByRole('button', { name: /^Open token\.rotate/ }))).toBe(true);
    });
  });
}
