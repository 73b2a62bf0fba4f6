import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { type RawAnswer, request } from '../clients/gateway-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { startMonolith } from '../deployment/monolith.js';
import { waitUntil } from '../wait-until.js';
import type { Attack } from './attack.js';

/** One of the gateways does not know the model or its channel yet. */
const NOT_THERE_YET: ReadonlySet<number> = new Set([404, 502, 503]);
const ANSWERED_WITHIN_MS = 30_000;

export const callEachOther: Attack = {
  threats: ['T28'],
  title:
    'M4: a video whose channels lead from one installation to another and back is 508, charged and held by neither',
  timeoutMs: { short: 180_000, full: 180_000 },
  async run({ deployment }) {
    const other = await startMonolith({ ENCRYPTION_KEY: 'encryption-key-of-another-installation' });
    try {
      await orderInCircles(deployment, other);
    } finally {
      await other.stop();
    }
  },
};

async function orderInCircles(first: Deployment, second: Deployment): Promise<void> {
  const slug = `loop-${randomUUID()}`;
  const [here, there] = [await ConsoleClient.login(first), await ConsoleClient.login(second)];
  const channel = await leadTo(`${second.gatewayUrl}/v1`, 'openai', slug, here);
  try {
    await leadTo(`${first.gatewayUrl}/videonative/api/v3`, 'videonative', slug, there);
    await waitUntil('the model in both', async () => (await isServed(first, slug)) && isServed(second, slug));
    const before = await Promise.all([here, there].map((console) => console.findWallet('main')));
    const ask = async () => {
      const asked = await order(first, slug);
      return !NOT_THERE_YET.has(asked.status) && asked;
    };
    const answer = await waitUntil('the channels in both', ask, ANSWERED_WITHIN_MS);
    expect([answer.status, answer.failure.detail.code]).toEqual([508, 'loop_detected']);
    expect((await order(first, slug)).status, 'no channel rests').toBe(508);
    for (const [index, console] of [here, there].entries()) {
      const isFree = async () => (await console.findWallet('main')).held === before[index]?.held;
      await waitUntil('nothing is held', isFree, ANSWERED_WITHIN_MS);
      expect((await console.findWallet('main')).balance).toBe(before[index]?.balance);
    }
    const row = await waitUntil('the log', () => here.findLog(answer.headers.get('x-request-id') ?? ''));
    expect([row.error_code, row.cost]).toEqual(['loop_detected', '0']);
  } finally {
    await here.demand('DELETE', `/channels/${channel}`);
  }
}

/** @returns the id of the channel. */
async function leadTo(url: string, type: string, slug: string, console: ConsoleClient): Promise<string> {
  await console.demand('POST', '/models', { slug, kind: 'video', price: { per_second: '0.01' } });
  const { id } = await console.demand<{ id: string }>('POST', '/channels', {
    name: slug,
    type,
    base_url: url,
    api_key: KEYS.main,
    models: { [slug]: slug },
  });
  return id;
}

async function isServed(deployment: Deployment, slug: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${KEYS.main}` };
  return (await request(deployment, '/v1/models', { headers })).text.includes(`"${slug}"`);
}

function order(deployment: Deployment, model: string): Promise<RawAnswer> {
  return request(deployment, '/v1/video/generations', {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, prompt: 'a cat', duration: 4 }),
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
  });
}
