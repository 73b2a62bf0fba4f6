import { omitUndefined } from '@mg/contract';
import type { Locator, Page } from 'playwright-core';
import type { ConsoleUnderTest } from './console-page.js';

/** What the stories of the browser tests play on: one product, one tab of its administrator. */
export interface Stage {
  readonly product: ConsoleUnderTest;
  readonly page: Page;
}

/** Waits until something is shown. */
export async function shows(what: Locator): Promise<boolean> {
  await what.waitFor();
  return true;
}

interface GatewayAnswer {
  readonly status: number;
  readonly requestId: string;
}

/** Calls the gateway as a program does: a GET without a body, a POST with one. */
export async function callGateway(
  { product }: Pick<Stage, 'product'>,
  apiKey: string,
  path: string,
  body?: object,
): Promise<GatewayAnswer> {
  const response = await fetch(`${product.gatewayUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...omitUndefined({ body: body === undefined ? undefined : JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return { status: response.status, requestId: response.headers.get('x-request-id') ?? '' };
}

/** A chat of one short message. */
export function chatWith(model: string): object {
  return { model, messages: [{ role: 'user', content: 'Hello.' }], max_tokens: 50 };
}

/** Makes a key on the view that lists them. @returns its text. */
export async function makeKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog', { name: 'New API key' });
  await form.getByLabel('Name').fill(name);
  await form.getByRole('button', { name: 'Create' }).click();
  const key = await page.getByTestId('new-key').innerText();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  return key;
}
