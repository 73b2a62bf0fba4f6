import { describe, expect, it } from 'vitest';
import type { LogRow } from '../clients/console-client.js';
import { waitUntil } from '../wait-until.js';
import { goTo, visit } from './console-page.js';
import { shoot } from './screenshots.js';
import { callGateway, chatWith, makeKey, shows, type Stage, waitForLog } from './stage.js';

/** How traffic is steered and looked at: the response cache, hedging, probes, figures of attempts, bodies of calls. */
export function describeTraffic(stage: Stage): void {
  describe('traffic', () => {
    describeSettings(stage);
    describeAttempts(stage);
    describeCaptures(stage);
  });
}

function describeSettings(stage: Stage): void {
  it('is answered out of the cache of a key, for the share of the price that a model has', async () => {
    const { page } = stage;
    const key = await makeKey(stage, 'repeating');
    await goTo(page, 'API keys');
    const actions = page.getByRole('group', { name: 'Actions for repeating' });
    const form = page.getByRole('dialog', { name: /repeating/ });
    await actions.getByRole('button', { name: 'Edit' }).click();
    await form.getByLabel('Response cache').fill('for ever');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').waitFor();
    expect(await form.getByLabel('Response cache').getAttribute('aria-invalid')).toBe('true');
    await form.getByLabel('Response cache').fill('5m');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'repeating', exact: true }).click();
    expect(await shows(page.getByText('5m', { exact: true }))).toBe(true);

    const setShare = async (share: string) => {
      await goTo(page, 'Models');
      await page.getByRole('button', { name: 'sandbox-chat', exact: true }).click();
      await page.getByRole('button', { name: 'Change limits and price' }).click();
      const model = page.getByRole('dialog', { name: 'sandbox-chat', exact: true }).last();
      await model.getByLabel('Cached responses: share of rates').fill(share);
      await model.getByRole('button', { name: 'Save' }).click();
      await model.getByLabel('Fallback models').waitFor({ state: 'hidden' });
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    };
    await setShare('0.5');
    const ask = async () => {
      const { requestId } = await callGateway(stage, key, '/v1/chat/completions', chatWith('sandbox-chat'));
      return waitForLog(stage, requestId);
    };
    const look = async ({ request_id: requestId }: LogRow) => {
      await visit(page, `/logs?call=${requestId}`);
      const cost = await page.getByTestId('call-cost').innerText();
      const repeats = (await page.getByRole('dialog').innerText()).includes(
        'the response to an equal call was repeated',
      );
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      return { cost, repeats };
    };
    const first = await look(await ask());
    const again = await waitUntil('a repeated answer', async () => {
      const call = await ask();
      return call.attempts.length === 0 && call;
    });
    const second = await look(again);
    expect([first.repeats, second.repeats]).toEqual([false, true]);
    expect(Number(second.cost.slice(1))).toBeCloseTo(Number(first.cost.slice(1)) / 2, 9);
    await setShare('');
  });

  it('is hedged, and probes keep an idle channel known', async () => {
    const { page } = stage;
    await goTo(page, 'Models');
    await page.getByRole('button', { name: 'sandbox-chat', exact: true }).click();
    await page.getByRole('button', { name: 'Change limits and price' }).click();
    const model = page.getByRole('dialog', { name: 'sandbox-chat', exact: true }).last();
    await model.getByLabel('When a whole response is late').check();
    await model.getByRole('button', { name: 'Save' }).click();
    await model.getByLabel('Fallback models').waitFor({ state: 'hidden' });
    expect(await shows(page.getByRole('term').filter({ hasText: 'When a whole response is late' }))).toBe(
      true,
    );
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await goTo(page, 'Channels');
    const actions = page.getByRole('group', { name: 'Open sandbox' });
    await actions.getByRole('button', { name: 'Edit' }).click();
    const channel = page.getByRole('dialog', { name: /sandbox/ });
    await channel.getByLabel('Probe when idle for').fill('10s');
    await channel.getByRole('button', { name: 'Save' }).click();
    expect(await shows(channel.getByText('Must be at least 1m'))).toBe(true);
    await channel.getByLabel('Probe when idle for').fill('10m');
    await channel.getByRole('button', { name: 'Save' }).click();
    await channel.waitFor({ state: 'hidden' });
    await actions.getByRole('button', { name: 'Edit' }).click();
    expect(await channel.getByLabel('Probe when idle for').inputValue()).toBe('10m');
    await channel.getByRole('button', { name: 'Cancel' }).click();
  });
}

function describeAttempts(stage: Stage): void {
  it('is seen by channel, model and key, of an hour and of a day', async () => {
    const { page } = stage;
    await goTo(page, 'System health');
    const row = page.getByRole('row', {
      name: /^sandbox healthy [\d,]+ succeeded, 0 failed 100% [\d,]+ \/ [\d,]+ ms/,
    });
    expect(await shows(row)).toBe(true);
    await page.getByRole('button', { name: '24 hours' }).click();
    expect(await page.getByRole('button', { name: '24 hours' }).getAttribute('aria-pressed')).toBe('true');
    expect(await shows(row)).toBe(true);
    await row.getByRole('link', { name: 'sandbox' }).click();
    expect(await shows(page.getByRole('row', { name: /^Whole channel healthy/ }))).toBe(true);
    expect(await shows(page.getByRole('row', { name: /^sandbox-chat healthy [\d,]+ succeeded/ }))).toBe(true);
    await shoot(page, 'channel-attempts');
    await goTo(page, 'Models');
    await page.getByRole('button', { name: 'sandbox-chat', exact: true }).click();
    const drawer = page.getByRole('dialog', { name: 'sandbox-chat' });
    expect(await shows(drawer.getByRole('row', { name: /^sandbox healthy 100%/ }))).toBe(true);
    await shoot(page, 'model');
    await page.keyboard.press('Escape');
  });
}

function describeCaptures(stage: Stage): void {
  it('is kept with its bodies for a while, and every look at one is in the audit log', async () => {
    const { page } = stage;
    const key = await makeKey(stage, 'captured');
    await goTo(page, 'API keys');
    const chat = () => callGateway(stage, key, '/v1/chat/completions', chatWith('sandbox-chat'));
    await page.getByRole('link', { name: 'captured', exact: true }).click();
    expect(await shows(page.getByText('No bodies are kept at the moment.'))).toBe(true);
    await page.getByRole('button', { name: 'Keep bodies' }).click();
    const form = page.getByRole('dialog', { name: /captured/ });
    await form.getByLabel('For the next').selectOption('1 hour');
    await form.getByLabel('Each is deleted after').selectOption('7 days');
    await form.getByRole('button', { name: 'Keep bodies' }).click();
    await form.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Stop keeping' }).waitFor();
    const requestId = await waitUntil('a call with its bodies', async () => {
      const { requestId: id } = await chat();
      await waitForLog(stage, id);
      const kept = await stage.api.demand<{ data: readonly object[] }>('GET', '/captures?limit=20');
      return JSON.stringify(kept).includes(id) && id;
    });
    await page.reload();
    await page.getByRole('button', { name: `Read the bodies of ${requestId}` }).click();
    const drawer = page.getByRole('dialog', { name: 'Bodies of a call' });
    await drawer.getByLabel('Request', { exact: true }).waitFor();
    expect(await drawer.getByLabel('Request', { exact: true }).innerText()).toContain('"content": "Hello."');
    expect(await drawer.getByLabel('Response', { exact: true }).innerText()).toMatch(/simulated/i);
    await shoot(page, 'bodies');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Stop keeping' }).click();
    await page.getByRole('button', { name: 'Keep bodies' }).waitFor();
    await shoot(page, 'captures');
    await visit(page, `/audit?action=capture.read&target_id=${requestId}`);
    expect(await shows(page.getByRole('button', { name: 'Open capture.read' }))).toBe(true);
    expect(await page.getByRole('button', { name: 'Open capture.read' }).count()).toBe(1);
  });
}
