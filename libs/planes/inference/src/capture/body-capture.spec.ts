import { type CallerToken, sha256 } from '@mg/contract';
import { type CapturedBody, deriveSecretKey } from '@mg/persistence/gateway';
import { openBody } from '@mg/persistence/console';
import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { TokenCache } from '../access/token-cache.js';
import { Allowance } from '../access/allowance.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';
import { BodyCapture } from './body-capture.js';
import { MOST_BYTES } from './captured-call.js';

const WITHIN = { timeout: 10_000 };
const KEY = deriveSecretKey('encryption key of the capture tests');
const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi, my password' }], max_tokens: 20 };

let upstream: FakeUpstream;
let gateway: SmallGateway;
let bodies: CapturedBody[];
let caller: Pick<CallerToken, 'capture'>;

beforeAll(async () => {
  upstream = await startFakeUpstream();
});
beforeEach(async () => {
  bodies = [];
  caller = { capture: { seconds: 60, until: undefined } };
  const tokens = new TokenCache(async (hash) =>
    hash === sha256(gateway.key)
      ? ({ id: 't', name: 't', walletId: 'w', userId: 'u', disabled: false, ...caller } as CallerToken)
      : undefined,
  );
  const writer = { add: (body: CapturedBody) => void bodies.push(body), pending: 0 };
  const allowance = new Allowance({ atOnce: 5, secondsForOne: 60 }, () => 0);
  gateway = await startSmallGateway('capture', { tokens, capture: new BodyCapture(writer, allowance, KEY) });
  gateway.channels = [makeChannel('c', { baseUrl: upstream.url, models: new Map([['m', 'plain']]) })];
});
afterEach(() => gateway.close());
afterAll(() => upstream.close());

async function ask(body: object = CHAT): Promise<string> {
  const before = gateway.log.length;
  const text = await (await gateway.post('/v1/chat/completions', body)).text();
  await expect.poll(() => gateway.log.length, WITHIN).toBe(before + 1);
  return text;
}

const read = (part: string) => {
  const body = bodies.find((one) => one.part === part);
  return body && openBody(body.sealed, body, KEY);
};

it.each([false, true])('keeps what came in and what went out, sealed, stream: %s', async (stream) => {
  const answered = await ask({ ...CHAT, stream });
  expect(JSON.parse(read('request') ?? '')).toMatchObject({ messages: CHAT.messages });
  expect(read('response')).toBe(answered);
  expect(bodies.map(({ requestId }) => requestId)).toEqual([
    gateway.log[0]?.requestId,
    gateway.log[0]?.requestId,
  ]);
  expect(bodies[0]?.sealed).not.toContain('password');
  expect(bodies[0]?.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
});

it('keeps the beginning of a long body, and nothing that looks like a credential', async () => {
  const content = `my key is sk-proj-${'0123456789'.repeat(4)} ${'long '.repeat(MOST_BYTES / 4)}`;
  await ask({ ...CHAT, messages: [{ role: 'user', content }] });
  const [request] = bodies;
  expect(request).toMatchObject({ part: 'request', truncated: true });
  expect(request?.bytes).toBeGreaterThan(MOST_BYTES);
  expect(read('request')?.length).toBeLessThanOrEqual(MOST_BYTES);
  expect(read('request')).not.toContain('0123456789');
});

it('keeps nothing of a token that is not set to it, or whose time is over, or that asks too often', async () => {
  for (let call = 0; call < 7; call++) await ask();
  expect(bodies).toHaveLength(10);
  for (const capture of [undefined, { seconds: 60, until: Date.now() - 1 }]) {
    caller = { capture };
    gateway.context.tokens.forgetAll();
    await ask();
  }
  expect(bodies).toHaveLength(10);
});

it('keeps the request of a call that failed', async () => {
  await ask({ ...CHAT, model: 'nobody' });
  expect(bodies.map(({ part }) => part)).toEqual(['request']);
});
