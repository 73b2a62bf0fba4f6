import { omitUndefined } from '@mg/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { goTo, UPSTREAM_KEY } from './console-page.js';
import { callGateway, chatWith, makeKey, shows, type Stage } from './stage.js';

/** A model of the fake upstream that answers with a 500. */
const FAILS = 'error-500';

/** Attempts that no caller pays for are shown with what they cost, and lead to their calls. */
export function describeWaste(stage: Stage): void {
  describe('F11: waste', () => {
    let channelId: string;
    let session: string;

    async function callConsole(method: string, path: string, body?: object): Promise<Record<string, string>> {
      const answer = await fetch(`${stage.product.consoleUrl}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
        ...omitUndefined({ body: body === undefined ? undefined : JSON.stringify(body) }),
      });
      return answer.status === 204 ? {} : ((await answer.json()) as Record<string, string>);
    }

    beforeAll(async () => {
      const { page, product } = stage;
      session = (await callConsole('POST', '/auth/login', product.admin))['access_token'] ?? '';
      const channel = await callConsole('POST', '/channels', {
        name: 'flaky',
        type: 'openai-compatible',
        base_url: `${product.upstream.url}/v1`,
        api_key: UPSTREAM_KEY,
        models: { 'sandbox-chat': FAILS },
        priority: 10,
      });
      channelId = channel['id'] ?? '';
      await goTo(page, 'API keys');
      const key = await makeKey(page, 'wasteful');
      await waitUntil('a call that tried the channel', async () => {
        await callGateway(stage, key, '/v1/chat/completions', chatWith('sandbox-chat'));
        return product.upstream.calls.some(({ model }) => model === FAILS);
      });
      await waitUntil('its waste', async () =>
        JSON.stringify(await callConsole('GET', '/waste')).includes('flaky'),
      );
    });

    afterAll(async () => {
      await callConsole('DELETE', `/channels/${channelId}`);
    });

    it('is shown by channel and reason, with its share of the spend', async () => {
      const { page } = stage;
      await goTo(page, 'Waste');
      const row = page.getByRole('row', { name: /flaky failed \d+ .*\$0\.\d*[1-9]/ });
      expect(await shows(row)).toBe(true);
      await page.getByRole('button', { name: '30 days' }).click();
      expect(await shows(row)).toBe(true);
      const cost = page.getByRole('group', { name: 'Estimated cost' });
      expect(await cost.innerText()).toMatch(/\$0\.\d*[1-9]/);
    });

    it('leads to the calls that the channel was tried for', async () => {
      const { page } = stage;
      await page.getByRole('link', { name: 'flaky' }).click();
      await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor();
      expect(new URL(page.url()).searchParams.get('channel')).toBe('flaky');
      await page.locator('tbody tr').first().click();
      const call = page.getByRole('dialog', { name: 'sandbox-chat' });
      expect(await shows(call.getByText(/flaky, \d+ ms/))).toBe(true);
      await page.keyboard.press('Escape');
    });

    it('C1: a channel that never answered is failing, though another made its calls good', async () => {
      const { page } = stage;
      await goTo(page, 'System health');
      const row = page.getByRole('row', { name: /flaky failing 0 succeeded, [1-9]\d* failed/ });
      expect(await shows(row.getByText(/^status 500/))).toBe(true);
      await goTo(page, 'Channels');
      expect(await shows(page.getByRole('row', { name: /flaky.*failing/ }))).toBe(true);
    });
  });
}
