import { ApiError } from '@google/genai';
import { formatUsd, parseUsd } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { createGoogle } from '../clients/chat/gemini.js';
import { ConsoleClient } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { readAll } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import { STORED_PRICE } from '../deployment/cached-contents.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';

const TEXT = 'A text that is asked about again and again. '.repeat(20);

async function catchGoogle(call: Promise<unknown>): Promise<{ status: number; message: string }> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('the call succeeded');
}

/** Prompts that Google keeps, through its official SDK. */
export function describeCachedContents(get: () => Deployment): void {
  const google = (key?: string) => createGoogle(get(), key);
  const create = (config: object = {}, model = 'kept') =>
    google().caches.create({ model, config: { contents: TEXT, displayName: 'a text', ...config } });
  const calls = () => get().upstream.calls;
  const post = (body: object) =>
    request(get(), '/v1beta/cachedContents', {
      method: 'POST',
      headers: { 'x-goog-api-key': KEYS.main, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'models/kept',
        contents: [{ role: 'user', parts: [{ text: TEXT }] }],
        ...body,
      }),
    });

  describe("Google's cached contents", () => {
    it('are made by a channel that keeps them, charged once with an hour, and gone on from with the same key', async () => {
      const kept = await create({ systemInstruction: 'Be brief.', ttl: '600s' });
      const made = calls().at(-1);
      expect(made).toMatchObject({
        path: '/v1beta/cachedContents',
        body: { model: 'models/gemini-3.5-flash', ttl: '3660s', displayName: 'a text' },
      });
      expect(kept).toMatchObject({ model: 'models/kept', displayName: 'a text' });
      expect(kept.name).toMatch(/^cachedContents\/[0-9a-f]{32}$/);
      expect(kept.usageMetadata?.totalTokenCount).toBe(made?.promptTokens);
      const lasts = Date.parse(kept.expireTime ?? '') - Date.parse(kept.createTime ?? '');
      expect(lasts).toBe(600_000);
      const key = made?.headers['x-goog-api-key'];
      const first = calls().length;
      for (let at = 0; at < 5; at++) {
        const answer = await google().models.generateContent({
          model: 'kept',
          contents: 'What is it about?',
          config: { cachedContent: kept.name ?? '' },
        });
        expect(answer.text).toBeTypeOf('string');
      }
      const stream = await google().models.generateContentStream({
        model: 'kept',
        contents: 'What is it about?',
        config: { cachedContent: kept.name ?? '' },
      });
      expect((await readAll(stream)).length).toBeGreaterThan(0);
      const asked = calls().slice(first);
      expect(asked).toHaveLength(6);
      for (const { headers, body } of asked) {
        expect(headers['x-goog-api-key']).toBe(key);
        expect(body).toMatchObject({ cachedContent: expect.stringMatching(/^cachedContents\/upstream\d+$/) });
      }
    });

    it('are kept by Vertex in a project of the account, and named as it names them', async () => {
      const model = 'over-vertex-gemini-plain';
      const kept = await create({ systemInstruction: 'Be brief.', ttl: '600s' }, model);
      const parent = 'projects/acme-1/locations/us-central1';
      expect(calls().at(-1)).toMatchObject({
        path: `/v1/${parent}/cachedContents`,
        body: { model: `${parent}/publishers/google/models/gemini-3.5-flash--plain`, ttl: '3660s' },
      });
      expect(kept).toMatchObject({
        model: `models/${model}`,
        name: expect.stringMatching(/^cachedContents\/\w+$/),
      });
      const answer = await google().models.generateContent({
        model,
        contents: 'What is it about?',
        config: { cachedContent: kept.name ?? '' },
      });
      expect(answer.text).toBeTypeOf('string');
      const name = expect.stringMatching(
        /^projects\/\d+\/locations\/us-central1\/cachedContents\/upstream\d+$/,
      );
      expect(calls().at(-1)?.body).toMatchObject({ cachedContent: name });
    });

    it('cost their tokens by the rate of an hour, whatever time they are kept', async () => {
      const answer = await post({ ttl: '60s' });
      const { promptTokens = 0 } = calls().at(-1) ?? {};
      expect(answer.status).toBe(200);
      const cost = formatUsd((parseUsd(STORED_PRICE) * BigInt(promptTokens) + 999_999n) / 1_000_000n);
      expect(answer.headers.get('x-gateway-cost')).toBe(cost);
      const console = await ConsoleClient.asAdmin(get());
      const requestId = answer.headers.get('x-request-id') ?? '';
      const log = await waitUntil('the log', () => console.findLog(requestId));
      expect(log).toMatchObject({
        model: 'kept',
        endpoint: '/v1beta/cachedContents',
        cost,
        estimated: false,
      });
    });

    it('are shown, listed, ended sooner and forgotten, by their wallet alone', async () => {
      const { name = '' } = await create();
      const { caches } = google();
      expect(await caches.get({ name })).toMatchObject({ name, displayName: 'a text' });
      const pager = await caches.list({ config: { pageSize: 1 } });
      const listed = await readAll(pager);
      expect(listed.map((one) => one.name)).toContain(name);
      const sooner = await caches.update({ name, config: { ttl: '60s' } });
      expect(Date.parse(sooner.expireTime ?? '')).toBeLessThan(Date.now() + 61_000);
      expect(await catchGoogle(caches.update({ name, config: { ttl: '3601s' } }))).toMatchObject({
        status: 400,
      });
      const stranger = google(KEYS.videos);
      for (const call of [
        () => stranger.caches.get({ name }),
        () => stranger.caches.update({ name, config: { ttl: '60s' } }),
        () => stranger.caches.delete({ name }),
      ]) {
        expect(await catchGoogle(call())).toMatchObject({ status: 404 });
      }
      await caches.delete({ name });
      expect(await catchGoogle(caches.get({ name }))).toMatchObject({ status: 404 });
      const length = calls().length;
      const gone = google().models.generateContent({
        model: 'kept',
        contents: 'And?',
        config: { cachedContent: name },
      });
      expect(await catchGoogle(gone)).toMatchObject({ status: 400 });
      expect(calls()).toHaveLength(length);
    });

    it('that are not of the wallet, or of another model, reach nobody', async () => {
      const { name = '' } = await create();
      const { length } = calls();
      const ask = (path: string, cachedContent: unknown, key: string = KEYS.main) =>
        request(get(), `/v1beta/models/${path}`, {
          method: 'POST',
          headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
          body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], cachedContent }),
        });
      const refused = [
        await ask('kept:generateContent', 'cachedContents/upstream1'),
        await ask('kept:generateContent', 'projects/p/locations/l/cachedContents/1'),
        await ask('kept:generateContent', 7),
        await ask('kept-unpriced:generateContent', name),
        await ask('paint-gemini:generateContent', name),
        await ask('kept:countTokens', name),
      ];
      for (const { status, failure } of refused) {
        expect([status, failure.detail.param]).toEqual([400, 'cachedContent']);
      }
      expect(calls()).toHaveLength(length);
    });

    it('are refused by the name of the field, and where storage has no price or no channel keeps any', async () => {
      const { length } = calls();
      const send = async (body: object) => {
        const { status, failure } = await post(body);
        return [status, failure.detail.param];
      };
      expect(await send({ ttl: '3601s' })).toEqual([400, 'ttl']);
      expect(await send({ ttl: '0s' })).toEqual([400, 'ttl']);
      expect(await send({ ttl: '1h' })).toEqual([400, 'ttl']);
      expect(await send({ expireTime: '2020-01-01T00:00:00Z' })).toEqual([400, 'expireTime']);
      expect(await send({ ttl: '60s', expireTime: '2036-01-01T00:00:00Z' })).toEqual([400, 'expireTime']);
      expect(await send({ tools: [{ googleSearch: {} }] })).toEqual([400, 'tools[0].googleSearch']);
      expect(await send({ generationConfig: {} })).toEqual([400, 'generationConfig']);
      expect(await send({ TTL: '9999s' })).toEqual([400, 'TTL']);
      expect(await send({ model: 'models/kept-unpriced' })).toEqual([404, 'model']);
      expect(await send({ model: 'models/nothing' })).toEqual([404, 'model']);
      expect(calls()).toHaveLength(length);
    });
  });
}
