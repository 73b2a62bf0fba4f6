import type { ModelListOutcome } from '@mg/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import type { ModelWithPricesView } from '../models/model-view.js';
import type { OfferedModels } from './channel-model-schemas.js';
import type { ChannelTestAnswer } from './channel-test.js';
import type { ShownChannel } from './channel-view.js';

const ANSWERED = { ok: true, latency_ms: 3, status: 200, message: 'The upstream answered.' };

let bed: TestBed;
let console: OpenConsole;
let session: string;
let listed: ModelListOutcome;
let channel: ShownChannel;
let count = 0;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open({
    gateway: { testChannel: async () => ANSWERED, listModels: async () => listed },
  });
  session = await console.login(ADMIN.email, ADMIN.password);
});

afterAll(() => bed.stop());

function call<Body>(method: string, path: string, body?: unknown) {
  return console.call<Body>(method, `/api/v1${path}`, { session, body });
}

beforeEach(async () => {
  count += 1;
  listed = { ...ANSWERED, supported: true, models: [] };
  const made = await call<ShownChannel>('POST', '/channels', {
    name: `offer-${count}`,
    type: 'openai',
    api_key: 'sk-provider-key-number-one-abcd',
    enabled: false,
  });
  channel = made.body;
});

const discover = () => call<OfferedModels>('POST', `/channels/${channel.id}/discover`);
const add = (models: object[], enabled?: boolean) =>
  call<ShownChannel>('POST', `/channels/${channel.id}/models`, { models, enabled });

describe('the models of a provider', () => {
  it('are listed with their kind and the price that is published, with its source and date', async () => {
    const names = [
      'gpt-5-mini',
      'text-embedding-3-small',
      'tts-9',
      'a new model',
      'a-new-model',
      '???',
      'sandbox-chat',
    ];
    listed = { ...listed, models: names.map((name) => ({ name })) };
    const { status, body } = await discover();
    expect(status).toBe(200);
    expect(body).toMatchObject({ source: 'provider', status: 200 });
    const models = Object.fromEntries(body.models.map((model) => [model.slug, model]));
    expect(Object.keys(models)).toEqual([
      'a-new-model',
      'gpt-5-mini',
      'sandbox-chat',
      'text-embedding-3-small',
      'tts-9',
    ]);
    expect(models['gpt-5-mini']).toMatchObject({
      state: 'new',
      kind: 'chat',
      price: { input_per_million: '0.25' },
      price_source: expect.stringMatching(/genai-prices .*\(\d{4}-\d\d-\d\d\)/),
    });
    expect(models['text-embedding-3-small']).toMatchObject({
      kind: 'embedding',
      price_source: 'model card: openai',
    });
    expect(models['a-new-model']).toMatchObject({ name: 'a new model', price: null, price_source: null });
    expect(models['tts-9']).toMatchObject({ kind: 'speech' });
    expect(models['sandbox-chat']).toMatchObject({ state: 'added' });
  });

  it('are those that are known where the provider does not say', async () => {
    listed = { ...listed, ok: false, status: 401, message: 'The upstream answered 401: no.' };
    const { body } = await discover();
    expect(body).toMatchObject({ source: 'known', status: 401, message: 'The upstream answered 401: no.' });
    expect(body.models.map(({ slug }) => slug)).toContain('gpt-5');
  });

  it('are made with the channel that serves them, at once, and all of it is in the audit log', async () => {
    listed = { ...listed, models: [{ name: 'gpt-5-nano' }] };
    const [offered] = (await discover()).body.models;
    const { status, body } = await add(
      [
        { name: 'gpt-5-nano', slug: 'gpt-5-nano', kind: 'chat', price: offered?.price },
        { name: 'gpt-x', slug: `own-${count}`, kind: 'chat', price: { input_per_million: '7' } },
        { name: 'gpt-y', slug: `free-${count}`, kind: 'chat' },
      ],
      true,
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      enabled: true,
      models: { 'gpt-5-nano': 'gpt-5-nano', [`own-${count}`]: 'gpt-x' },
      uncallable_models: [
        { slug: `own-${count}`, reason: 'unpriced' },
        { slug: `free-${count}`, reason: 'unpriced' },
      ],
    });
    const nano = await call<ModelWithPricesView>('GET', '/models/gpt-5-nano');
    expect(nano.body).toMatchObject({ priced: true, price_source: offered?.price_source });
    const own = await call<ModelWithPricesView>('GET', `/models/own-${count}`);
    expect(own.body).toMatchObject({ price_source: `console: ${ADMIN.email}` });
    const audit = await call<{ data: { action: string; target_id: string }[] }>('GET', '/audit?limit=4');
    expect(audit.body.data.map(({ action }) => action).toSorted()).toEqual([
      'channel.change',
      'model.create',
      'model.create',
      'model.create',
    ]);
  });

  it('keep the price that they have', async () => {
    await call('POST', '/models', {
      slug: `kept-${count}`,
      kind: 'chat',
      price: { input_per_million: '1', output_per_million: '1' },
    });
    await call('POST', '/models', { slug: `bare-${count}`, kind: 'chat' });
    const price = { input_per_million: '3', output_per_million: '3' };
    const { body } = await add([
      { name: 'a', slug: `kept-${count}`, kind: 'chat', price },
      { name: 'b', slug: `bare-${count}`, kind: 'chat', price },
    ]);
    expect(body).toMatchObject({ enabled: false, uncallable_models: [] });
    const priceOf = async (slug: string) =>
      (await call<ModelWithPricesView>('GET', `/models/${slug}`)).body.price?.input_per_million;
    expect([await priceOf(`kept-${count}`), await priceOf(`bare-${count}`)]).toEqual(['1', '3']);
  });

  it('are added all or none', async () => {
    const twice = [
      { name: 'a', slug: `twice-${count}`, kind: 'chat' },
      { name: 'b', slug: `twice-${count}`, kind: 'chat' },
    ];
    expect((await add(twice)).status).toBe(400);
    expect((await add([{ name: 'a', slug: 'no slug', kind: 'chat' }])).status).toBe(400);
    expect((await call('GET', `/models/twice-${count}`)).status).toBe(404);
  });
});

describe('a test', () => {
  const test = (body: object) => call<ChannelTestAnswer>('POST', `/channels/${channel.id}/test`, body);

  it('C6: says why calls would not get here, whatever the upstream answered', async () => {
    expect((await test({ name: 'gpt-x' })).body).toMatchObject({ ok: true, refused_because: 'not_served' });
    await add([{ name: 'gpt-x', slug: `tested-${count}`, kind: 'chat' }]);
    expect((await test({ name: 'gpt-x' })).body.refused_because).toBe('channel_disabled');
    await call('PATCH', `/channels/${channel.id}`, { enabled: true });
    expect((await test({ model: `tested-${count}` })).body.refused_because).toBe('unpriced');
    const price = { input_per_million: '1', output_per_million: '1' };
    await call('PATCH', `/models/tested-${count}`, { price });
    expect((await test({})).body).not.toHaveProperty('refused_because');
    await call('PATCH', `/models/tested-${count}`, { state: 'disabled' });
    expect((await test({})).body.refused_because).toBe('disabled');
    expect((await test({ model: `tested-${count}`, name: 'gpt-x' })).status).toBe(400);
  });
});
