import { omitUndefined } from '@mg/contract';
import type { Locator, Page } from 'playwright-core';
import type { ConsoleClient, LogRow, TokenRow } from '../clients/console-client.js';
import { waitUntil } from '../wait-until.js';
import type { ConsoleUnderTest, Person } from './console-page.js';

/** What the stories of the browser tests play on: one product, one tab of its administrator. */
export interface Stage {
  readonly product: ConsoleUnderTest;
  readonly page: Page;
  /** The administrator's program, for what is there before a story begins and for what only time brings. */
  readonly api: ConsoleClient;
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

/** Makes a key of the administrator's. A list that was shown within the last two seconds does not have it yet. @returns its text. */
export async function makeKey({ api }: Pick<Stage, 'api'>, name: string): Promise<string> {
  const { key } = await api.demand<TokenRow>('POST', '/tokens', { name });
  return key ?? '';
}

/** Makes a member. */
export function makeMember(
  { api }: Pick<Stage, 'api'>,
  { email, password }: Person,
): Promise<{ readonly id: string }> {
  return api.demand('POST', '/users', { email, password, role: 'member' });
}

/** Gateways write rows of the log a moment after their answers. */
export function waitForLog({ api }: Pick<Stage, 'api'>, requestId: string): Promise<LogRow> {
  return waitUntil('the call in the log', () => api.findLog(requestId));
}
