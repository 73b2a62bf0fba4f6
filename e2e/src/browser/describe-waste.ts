import { omitUndefined } from '@mg/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { goTo, signIn, UPSTREAM_KEY } from './console-page.js';
import { callGateway, chatWith, shows, type Stage } from './stage.js';

/** A model of the fake upstream that answers with a 500. */
const FAILS = 'error-500';
const MEMBER = { email: 'caller@example.com', password: 'a password of a caller' };

/** Attempts that no caller pays for are shown with what they cost, and lead to their calls. */
export function describeWaste(stage: Stage): void {
  describe('F11: waste', () => {
    let channelId: string;
    let session: string;
    /** A member's call that the channel was tried for first. */
    let failedOver: string;

    /** A key of a member who has something to spend. */
    async function makeMembersKey(): Promise<string> {
      const user = await callConsole('POST', '/users', { ...MEMBER, role: 'member' });
      const wallet = await callConsole('POST', '/wallets', { name: 'of the caller', user_id: user['id'] });
      const credit = { amount: '1', idempotency_key: 'of the caller' };
      await callConsole('POST', `/wallets/${wallet['id']}/topups`, credit);
      const key = await callConsole('POST', '/tokens', { name: 'wasteful', wallet_id: wallet['id'] });
      return key['key'] ?? '';
    }

    /** After how many failed attempts an alert tells of a channel. */
    async function alertAfter(failed: number): Promise<void> {
      await callConsole('PATCH', '/alerts/settings', { rules: { channel_failing: { failed } } });
    }

    async function callConsole(method: string, path: string, body?: object): Promise<Record<string, string>> {
      const answer = await fetch(`${stage.product.consoleUrl}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
        ...omitUndefined({ body: body === undefined ? undefined : JSON.stringify(body) }),
      });
      return answer.status === 204 ? {} : ((await answer.json()) as Record<string, string>);
    }

    beforeAll(async () => {
      const { product } = stage;
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
      await alertAfter(1);
      const key = await makeMembersKey();
      failedOver = await waitUntil('a call that tried the channel', async () => {
        const call = await callGateway(stage, key, '/v1/chat/completions', chatWith('sandbox-chat'));
        return product.upstream.calls.some(({ model }) => model === FAILS) && call.requestId;
      });
      await waitUntil('its waste', async () =>
        JSON.stringify(await callConsole('GET', '/waste')).includes('flaky'),
      );
    });

    afterAll(async () => {
      await alertAfter(5);
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

    it('C3: a member sees the call, and nothing of the channels that were tried', async () => {
      const page = await stage.product.openPage();
      await signIn(page, MEMBER);
      await page.goto(`/logs?call=${failedOver}`);
      const call = page.getByRole('dialog', { name: 'sandbox-chat' });
      expect(await shows(call.getByText('Total'))).toBe(true);
      expect(await page.locator('body').innerText()).not.toMatch(/flaky|status 500|priority/);
      await page.context().close();
    });

    it('C1: a channel that never answered is failing, though another made its calls good', async () => {
      const { page } = stage;
      await goTo(page, 'System health');
      const row = page.getByRole('row', { name: /flaky failing 0 succeeded, [1-9]\d* failed/ });
      expect(await shows(row.getByText(/^status 500/))).toBe(true);
      await goTo(page, 'Channels');
      expect(await shows(page.getByRole('row', { name: /flaky.*failing/ }))).toBe(true);
    });

    it('is found from the alert of its channel', async () => {
      const { page } = stage;
      await goTo(page, 'Alerts');
      await page.getByRole('button', { name: /^Open: .*flaky/ }).click();
      await page
        .getByRole('dialog', { name: 'Channel failing' })
        .getByRole('link', { name: 'flaky' })
        .click();
      expect(await shows(page.getByRole('heading', { name: 'flaky', level: 1 }))).toBe(true);
      expect(await shows(page.getByRole('row', { name: /^All of the channel failing .*status 500/ }))).toBe(
        true,
      );
    });
  });
}
