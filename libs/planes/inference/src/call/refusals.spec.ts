import { type CallerToken, sha256 } from '@mg/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TokenCache } from '../access/token-cache.js';
import { type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';
import { Allowance } from '../access/allowance.js';

const WITHIN = { timeout: 10_000 };
const KEYS = {
  disabled: 'sk-disabled00000000',
  expired: 'sk-expired000000000',
  office: 'sk-office0000000000',
} as const;
const CALLER = { name: 't', walletId: 'w', userId: 'u', disabled: false } as CallerToken;

let gateway: SmallGateway;
beforeEach(async () => {
  const tokens = new TokenCache(async (hash) => {
    if (hash === sha256(KEYS.disabled)) return { ...CALLER, id: 'disabled', disabled: true };
    if (hash === sha256(KEYS.expired)) return { ...CALLER, id: 'expired', expiresAt: 1 };
    if (hash === sha256(KEYS.office)) {
      return { ...CALLER, id: 'office', allowedIps: new Set(['203.0.113.7']) };
    }
    return hash === sha256(gateway.key)
      ? { ...CALLER, id: 't', allowedModels: new Set(['other']) }
      : undefined;
  });
  const refusals = new Allowance({ atOnce: 3, secondsForOne: 60 }, () => 0);
  gateway = await startSmallGateway('refusals', { tokens, refusals });
});
afterEach(() => gateway.close());

async function ask(body: unknown, key = gateway.key): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await gateway.post('/v1/chat/completions', body, headers)).status;
}

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

it('keeps the message that a refused caller got, without what looks like a credential', async () => {
  expect(await ask(CHAT)).toBe(403);
  expect(await ask({ ...CHAT, model: 'sk-proj-0123456789abcdefghij0123456789' })).toBeGreaterThan(399);
  await expect.poll(() => gateway.log.length, WITHIN).toBe(2);
  expect(gateway.log[0]).toMatchObject({
    status: 403,
    errorCode: 'model_not_allowed',
    errorMessage: expect.stringContaining('may not use'),
    reason: 'refused',
    cost: 0n,
  });
  expect(gateway.log[1]?.errorMessage).not.toContain('0123456789abcdefghij');
  expect(gateway.journal).toEqual([]);
});

it('logs a call with a key that is known and refused, and none with one that nobody knows', async () => {
  expect(await ask(CHAT, KEYS.disabled)).toBe(401);
  expect(await ask(CHAT, KEYS.expired)).toBe(401);
  expect(await ask(CHAT, KEYS.office)).toBe(403);
  expect(await ask(CHAT, 'sk-unknown000000000')).toBe(401);
  await expect.poll(() => gateway.log.length, WITHIN).toBe(3);
  expect(gateway.log).toMatchObject([
    { tokenId: 'disabled', status: 401, errorMessage: expect.stringContaining('is disabled') },
    { tokenId: 'expired', status: 401, errorMessage: 'The API key has expired.' },
    {
      tokenId: 'office',
      status: 403,
      errorCode: 'address_not_allowed',
      errorMessage: 'The API key may not be used from the address 127.0.0.1.',
      cost: 0n,
    },
  ]);
});

it('logs what costs nothing likewise: lists, polls and files', async () => {
  const paths = ['/v1/models', '/v1/videos/x', '/v1/videos/x/content', '/v1/files/x'];
  const headers = { authorization: `Bearer ${KEYS.expired}` };
  for (const path of paths) expect((await fetch(gateway.url + path, { headers })).status).toBe(401);
  // Beyond its share, a key's refusals are counted.
  await expect.poll(() => gateway.log.length, WITHIN).toBe(3);
  expect(gateway.log.map(({ endpoint, tokenId, status }) => [endpoint, tokenId, status])).toEqual(
    ['/v1/models', '/v1/videos/:taskId', '/v1/videos/:taskId/content'].map((path) => [path, 'expired', 401]),
  );
});

it('tells a caller no more of a disabled key than of an unknown one', async () => {
  const texts = await Promise.all(
    [KEYS.disabled, 'sk-unknown000000000'].map(async (key) => {
      const answer = await gateway.post('/v1/chat/completions', CHAT, { authorization: `Bearer ${key}` });
      const { detail } = (await answer.json()) as { detail: { message: string } };
      return detail.message;
    }),
  );
  expect(texts[0]).toBe(texts[1]);
});

it('logs so many refusals of a key, and counts the rest', async () => {
  for (let call = 0; call < 10; call++) expect(await ask(CHAT)).toBe(403);
  await expect.poll(() => gateway.log.length, WITHIN).toBe(3);
  expect((await gateway.context.metrics.unloggedRefusals.get()).values[0]?.value).toBe(7);
});
