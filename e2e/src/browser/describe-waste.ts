import type { Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TokenRow, WalletRow } from '../clients/console-client.js';
import { waitUntil } from '../wait-until.js';
import { goTo, openSignedIn, UPSTREAM_KEY } from './console-page.js';
import { callGateway, chatWith, makeMember, shows, type Stage, waitForLog } from './stage.js';

/** A model of the fake upstream that answers with a 500. */
const FAILS = 'error-500';
const MODEL = 'tried-twice';
const MEMBER = { email: 'caller@example.com', password: 'a password of a caller' };

/** What the operator knows of the providers: names of channels, their words, and why one was taken. A price may have a tier `priority`. */
const UPSTREAM = /flaky|steady|error-500|status\s500|priority -?\d|openai-compatible/;

/** What a member may open, with what is there once it has loaded. */
const MEMBERS_VIEWS = [
  ['Logs', 'tbody tr'],
  ['Overview', '.recharts-surface'],
  ['API keys', 'tbody tr'],
  ['Wallets', 'tbody tr'],
  ['Video tasks', 'tbody tr'],
  ['Models', 'tbody tr'],
  ['Projects', 'h1'],
] as const;

/** An answer of the API with its address; a page that is left ends some before they have come. */
async function readAnswer(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  return `${response.url()} ${text}`;
}

/** A member's call that the channel `flaky` was tried for first. */
let failedOver: string;

/**
 * A channel that fails, and another that makes its calls good. Gateways write how attempts went every ten seconds, and alerts
 * are looked for every quarter of a minute: other stories go on meanwhile.
 */
export function describeFailover(stage: Stage): void {
  it('a call goes on to another channel where one fails', async () => {
    const { product, api } = stage;
    const provider = {
      type: 'openai-compatible',
      base_url: `${product.upstream.url}/v1`,
      api_key: UPSTREAM_KEY,
    };
    const price = { input_per_million: '1', output_per_million: '2' };
    await api.demand('POST', '/models', { slug: MODEL, kind: 'chat', price });
    await api.demand('POST', '/channels', { ...provider, name: 'steady', models: { [MODEL]: 'plain' } });
    const flaky = { name: 'flaky', models: { [MODEL]: FAILS }, priority: 10 };
    await api.demand('POST', '/channels', { ...provider, ...flaky });
    await alertAfter(stage, 1);
    const key = await makeMembersKey(stage);
    failedOver = await waitUntil('a call that tried the channel', async () => {
      const { status, requestId } = await callGateway(stage, key, '/v1/chat/completions', chatWith(MODEL));
      return status === 200 && product.upstream.calls.some(({ model }) => model === FAILS) && requestId;
    });
    const video = { model: 'sandbox-video', prompt: 'Waves' };
    expect((await callGateway(stage, key, '/v1/video/generations', video)).status).toBe(200);
    const { attempts } = await waitForLog(stage, failedOver);
    expect(attempts.map(({ channel, outcome }) => `${channel} ${outcome}`)).toEqual([
      'flaky failed',
      'steady served',
    ]);
  });
}

/** A key of a member who has something to spend. */
async function makeMembersKey(stage: Stage): Promise<string> {
  const { api } = stage;
  const user = await makeMember(stage, MEMBER);
  const name = 'of the caller';
  const wallet = await api.demand<WalletRow>('POST', '/wallets', { name, user_id: user.id });
  await api.demand('POST', `/wallets/${wallet.id}/topups`, { amount: '1', idempotency_key: name });
  const key = { name: 'wasteful', wallet_id: wallet.id };
  return (await api.demand<TokenRow>('POST', '/tokens', key)).key ?? '';
}

/** After how many failed attempts an alert tells of a channel. */
async function alertAfter({ api }: Stage, failed: number): Promise<void> {
  await api.demand('PATCH', '/alerts/settings', { rules: { channel_failing: { failed } } });
}

/** Attempts that no caller pays for are shown with what they cost, and lead to their calls. */
export function describeWaste(stage: Stage): void {
  describe('F11: waste', () => {
    beforeAll(async () => {
      await waitUntil('its waste', async () =>
        JSON.stringify(await stage.api.demand('GET', '/waste')).includes('flaky'),
      );
    });

    afterAll(async () => {
      await alertAfter(stage, 5);
      const { id } = await stage.api.findChannel('flaky');
      await stage.api.demand('DELETE', `/channels/${id}`);
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
      const call = page.getByRole('dialog', { name: MODEL });
      expect(await shows(call.getByText(/flaky, \d+\sms/))).toBe(true);
      await page.keyboard.press('Escape');
    });

    it('C3: a member sees the call, and nothing of the channels that were tried, in no answer of the API', async () => {
      const page = await openSignedIn(stage.product, MEMBER);
      const answers: Promise<string>[] = [];
      page.on('response', (response) => {
        if (response.url().includes('/api/v1/')) answers.push(readAnswer(response));
      });
      await page.goto(`/logs?call=${failedOver}`);
      const call = page.getByRole('dialog', { name: MODEL });
      expect(await shows(call.getByText('Total'))).toBe(true);
      const seen = [await page.locator('body').innerText()];
      expect(seen[0]).not.toMatch(/flaky|status\s500|priority/);
      await page.keyboard.press('Escape');
      for (const [view, ready] of MEMBERS_VIEWS) {
        await goTo(page, view);
        await page.locator(ready).first().waitFor();
        seen.push(await page.getByRole('main').innerText());
        expect(await page.getByRole('columnheader', { name: 'Channel' }).count()).toBe(0);
      }
      expect(seen.join('\n')).not.toMatch(UPSTREAM);
      const told = await Promise.all(answers);
      expect(told.filter((answer) => UPSTREAM.test(answer))).toEqual([]);
      const logged = told.filter((answer) => answer.includes(failedOver));
      expect(logged.length).toBeGreaterThanOrEqual(2);
      for (const answer of logged) expect(answer).toMatch(/"channel":null.*"attempts":\[\]/);
      await page.context().close();
    });

    it('C1: a channel that never answered is failing, though another made its calls good', async () => {
      const { page } = stage;
      await goTo(page, 'System health');
      const row = page.getByRole('row', { name: /flaky failing 0 succeeded, [1-9]\d* failed/ });
      expect(await shows(row.getByText(/^status\s500/).filter({ visible: true }))).toBe(true);
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
      expect(await shows(page.getByRole('row', { name: /^Whole channel failing .*status\s500/ }))).toBe(true);
    });
  });
}
