import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { type RawAnswer, request } from '../clients/gateway-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { startMonolith } from '../deployment/monolith.js';
import { writeSmallConfiguration } from '../deployment/small-configuration.js';
import { waitUntil } from '../wait-until.js';
import type { Attack } from './attack.js';

/** One of the gateways does not know the model or its channel yet. */
const NOT_THERE_YET: ReadonlySet<number> = new Set([404, 502, 503]);
const ANSWERED_WITHIN_MS = 30_000;
/** A loop of two ends with its third call, not at the end of some time. */
const ENDED_WITHIN_MS = 10_000;

const NATIVE = '/videonative/api/v3';

/** Channels from the first installation to the second and back, and the orders that go in circles by them. */
interface Circle {
  readonly there: Way;
  readonly back: Way;
  readonly orders: Readonly<Record<string, (model: string) => object>>;
}

interface Way {
  readonly type: string;
  readonly path: string;
}

const generic = (model: string) => ({ model, prompt: 'a cat', seconds: '4' });
const native = (model: string) => ({ model, content: [{ type: 'text', text: 'a cat' }], duration: 4 });

const CIRCLES: readonly Circle[] = [
  {
    there: { type: 'openai', path: '/v1' },
    back: { type: 'videonative', path: NATIVE },
    orders: { '/v1/video/generations': generic, '/v1/videos': generic },
  },
  {
    there: { type: 'videonative', path: NATIVE },
    back: { type: 'videonative', path: NATIVE },
    orders: { [`${NATIVE}/contents/generations/tasks`]: native },
  },
];

export const callEachOther: Attack = {
  threats: ['T28'],
  title:
    'M4: a video whose channels lead from one installation to another and back is 508, charged and held by neither',
  timeoutMs: { short: 180_000, full: 180_000 },
  async run({ deployment }) {
    const other = await startMonolith(
      { ENCRYPTION_KEY: 'encryption-key-of-another-installation' },
      writeSmallConfiguration,
    );
    try {
      for (const circle of CIRCLES) await orderInCircles(deployment, other, circle);
    } finally {
      await other.stop();
    }
  },
};

async function orderInCircles(first: Deployment, second: Deployment, circle: Circle): Promise<void> {
  const slug = `loop-${randomUUID()}`;
  const [here, there] = [await ConsoleClient.asAdmin(first), await ConsoleClient.asAdmin(second)];
  const channel = await leadTo(second, circle.there, slug, here);
  try {
    await leadTo(first, circle.back, slug, there);
    await waitUntil('the model in both', async () => (await isServed(first, slug)) && isServed(second, slug));
    for (const [path, write] of Object.entries(circle.orders)) {
      await expectLoop(() => order(first, path, write(slug)), here, there);
    }
  } finally {
    await here.demand('DELETE', `/channels/${channel}`);
  }
}

async function expectLoop(
  ask: () => Promise<RawAnswer>,
  here: ConsoleClient,
  there: ConsoleClient,
): Promise<void> {
  const before = await Promise.all([here, there].map((console) => console.findWallet('main')));
  const answer = await waitUntil(
    'the channels in both',
    async () => {
      const asked = await ask();
      return !NOT_THERE_YET.has(asked.status) && asked;
    },
    ANSWERED_WITHIN_MS,
  );
  expect([answer.status, answer.failure.detail.code]).toEqual([508, 'loop_detected']);
  const askedAt = performance.now();
  expect((await ask()).status, 'no channel rests').toBe(508);
  expect(performance.now() - askedAt).toBeLessThan(ENDED_WITHIN_MS);
  for (const [index, console] of [here, there].entries()) {
    const isFree = async () => (await console.findWallet('main')).held === before[index]?.held;
    await waitUntil('nothing is held', isFree, ANSWERED_WITHIN_MS);
    expect((await console.findWallet('main')).balance).toBe(before[index]?.balance);
  }
  const row = await waitUntil('the log', () => here.findLog(answer.headers.get('x-request-id') ?? ''));
  expect([row.error_code, row.cost]).toEqual(['loop_detected', '0']);
}

/** @returns the id of the channel. */
async function leadTo(
  target: Deployment,
  { type, path }: Way,
  slug: string,
  console: ConsoleClient,
): Promise<string> {
  await console.demand('POST', '/models', { slug, kind: 'video', price: { per_second: '0.01' } });
  const { id } = await console.demand<{ id: string }>('POST', '/channels', {
    name: slug,
    type,
    base_url: `${target.gatewayUrl}${path}`,
    api_key: KEYS.main,
    models: { [slug]: slug },
  });
  return id;
}

async function isServed(deployment: Deployment, slug: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${KEYS.main}` };
  return (await request(deployment, '/v1/models', { headers })).text.includes(`"${slug}"`);
}

function order(deployment: Deployment, path: string, body: object): Promise<RawAnswer> {
  return request(deployment, path, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
  });
}
