import { describe, expect, it } from 'vitest';
import { goTo, UPSTREAM_KEY } from './console-page.js';
import { shoot } from './screenshots.js';
import { callGateway, chatWith, makeKey, shows, type Stage } from './stage.js';

const A_MINUTE_MS = 60_000;

/** A provider with its models, from its key to a first call. */
export function describeProviders(stage: Stage): void {
  const openForm = async () => {
    const { page } = stage;
    await goTo(page, 'Channels');
    await page.getByRole('button', { name: 'Add provider' }).click();
    return page.getByRole('dialog', { name: 'Add a provider' });
  };

  describe('a provider', () => {
    it('is left without a trace, after its list was refused for a wrong key', async () => {
      const { page, product } = stage;
      const form = await openForm();
      await form.getByLabel('Provider', { exact: true }).selectOption('openai-compatible');
      await form.getByLabel('Base URL').fill(`${product.upstream.url}/v1`);
      await form.getByLabel('API key of the provider').fill('sk-a-wrong-provider-key');
      await form.getByLabel('Name').fill('left');
      await form.getByRole('button', { name: 'Fetch models' }).click();
      const offer = page.getByRole('dialog', { name: 'Models of “left”' });
      expect(await shows(offer.getByText(/The upstream answered 401: Incorrect API key/))).toBe(true);
      await offer.getByRole('button', { name: 'Close' }).click();
      await offer.waitFor({ state: 'hidden' });
      await page.getByRole('cell', { name: 'left', exact: true }).waitFor({ state: 'detached' });
    });

    it('is added with its models within a minute, tried and priced, and answers a call at once', async () => {
      const { page, product } = stage;
      const begun = Date.now();
      const form = await openForm();
      await form.getByLabel('Provider', { exact: true }).selectOption('openai-compatible');
      await form.getByLabel('Base URL').fill(`${product.upstream.url}/v1`);
      await form.getByLabel('API key of the provider').fill(UPSTREAM_KEY);
      await form.getByLabel('Name').fill('listed');
      await form.getByRole('button', { name: 'Fetch models' }).click();
      const offer = page.getByRole('dialog', { name: 'Models of “listed”' });
      await offer.getByText(/The provider lists \d+ models/).waitFor();
      await offer.getByLabel('Search').fill('error-401');
      await offer.getByRole('checkbox', { name: 'error-401' }).check();
      await offer.getByLabel('Search').fill('unicode');
      await offer.getByRole('checkbox', { name: 'unicode-text' }).check();
      expect(await shows(offer.getByText(/Calls are refused until these have a price: .*unicode-text/))).toBe(
        true,
      );
      await offer.getByLabel('Input, per million tokens: unicode-text').fill('1');
      await offer.getByLabel('Output, per million tokens: unicode-text').fill('2');
      await offer.getByLabel('Search').fill('');
      await offer.getByRole('button', { name: 'Test 2 models' }).click();
      expect(await shows(offer.getByText(/Responded in \d+ ms/))).toBe(true);
      expect(await shows(offer.getByText(/Test failed: The upstream answered 401/))).toBe(true);
      await shoot(page, 'provider-models');
      await offer.getByRole('checkbox', { name: 'error-401' }).uncheck();
      await offer.getByRole('button', { name: 'Create channel with 1 model' }).click();
      await offer.waitFor({ state: 'hidden' });
      expect(await shows(page.getByRole('row', { name: /listed openai-compatible 1 .*idle/ }))).toBe(true);
      const key = await makeKey(stage, 'of the provider');
      expect(await callGateway(stage, key, '/v1/chat/completions', chatWith('unicode-text'))).toMatchObject({
        status: 200,
      });
      expect(Date.now() - begun).toBeLessThan(A_MINUTE_MS);
    });

    it('is asked for more models later', async () => {
      const { page } = stage;
      await goTo(page, 'Channels');
      const actions = page.getByRole('group', { name: 'Open listed' });
      await actions.getByRole('button', { name: 'Models' }).click();
      const offer = page.getByRole('dialog', { name: 'Models of “listed”' });
      await offer.getByLabel('Search').fill('unicode');
      expect(await offer.getByRole('checkbox', { name: 'unicode-text' }).isDisabled()).toBe(true);
      await offer.getByRole('button', { name: 'Close' }).click();
      await offer.waitFor({ state: 'hidden' });
    });
  });
}
