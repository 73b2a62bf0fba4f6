import { type CallerToken, GatewayError, sha256 } from '@mg/contract';
import { Compactions, deriveSecretKey, type StoredResponses } from '@mg/persistence/gateway';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Funds } from '../../access/funds.js';
import { TokenCache } from '../../access/token-cache.js';
import { KeptInMemory } from '../../testing/kept-in-memory.js';
import { type ScriptedUpstream, startScriptedUpstream } from '../../testing/scripted-upstream.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../../testing/small-gateway.js';

const OTHER_KEY = 'sk-other-wallet-0000';
const OFF_KEY = 'sk-remembers-nothing';
const WALLETS: Readonly<Record<string, Partial<CallerToken>>> = {
  [sha256('sk-stored0000000000')]: { walletId: 'w' },
  [sha256(OTHER_KEY)]: { walletId: 'other' },
  [sha256(OFF_KEY)]: { walletId: 'w', storesResponses: false },
};

let upstream: ScriptedUpstream;
let gateway: SmallGateway;
let kept: KeptInMemory;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
});
beforeEach(async () => {
  kept = new KeptInMemory();
  const tokens = new TokenCache(async (hash) => {
    const facts = WALLETS[hash];
    return facts && ({ id: hash, name: 't', userId: 'u', disabled: false, ...facts } as CallerToken);
  });
  const funds = { need: async () => needFunds() } as unknown as Funds;
  const responses = kept as unknown as StoredResponses;
  const compactions = new Compactions(deriveSecretKey('a key of thirty-two characters...'));
  gateway = await startSmallGateway('stored', { responses, tokens, funds, compactions });
  gateway.channels = [
    makeChannel('c', { type: 'anthropic', baseUrl: `${upstream.url}/v1`, apiKeys: ['sk-test'] }),
  ];
  upstream.asked.length = 0;
});
afterEach(() => gateway.close());
afterAll(() => upstream.close());

let needFunds = (): void => undefined;
afterEach(() => {
  needFunds = () => undefined;
});

let made = 0;
function say(text: string): void {
  upstream.answer = {
    body: JSON.stringify({
      id: `msg_${++made}`,
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 2 },
    }),
  };
}

const connect = (apiKey: string) =>
  new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 }).responses;

describe('a response over a channel that remembers nothing', () => {
  it('is gone on from, shown, listed and forgotten, as the official SDK does it', async () => {
    const responses = connect(gateway.key);
    say('Oslo.');
    const settings = { metadata: { about: 'capitals' }, temperature: 0.5, max_output_tokens: 90 };
    const first = await responses.create({ model: 'm', input: 'A capital?', ...settings });
    expect(first).toMatchObject({ store: true, previous_response_id: null, ...settings });
    say('Norway.');
    const second = await responses.create({
      model: 'm',
      input: 'Of what?',
      previous_response_id: first.id,
    });
    expect(upstream.asked[1]?.body.messages).toEqual([
      { role: 'user', content: 'A capital?' },
      { role: 'assistant', content: 'Oslo.' },
      { role: 'user', content: 'Of what?' },
    ]);
    expect(second).toMatchObject({ store: true, previous_response_id: first.id });
    expect(await responses.retrieve(first.id)).toMatchObject(settings);
    expect(await responses.retrieve(second.id)).toMatchObject({
      id: second.id,
      previous_response_id: first.id,
      output_text: 'Norway.',
    });
    const { data } = await responses.inputItems.list(second.id, { order: 'asc' });
    expect(data.map((item) => 'content' in item && item.content)).toMatchObject([
      [{ type: 'input_text', text: 'A capital?' }],
      [{ type: 'output_text', text: 'Oslo.' }],
      [{ type: 'input_text', text: 'Of what?' }],
    ]);
    await responses.delete(first.id);
    await expect(responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 });
    await expect(
      responses.create({ model: 'm', input: 'And?', previous_response_id: second.id }),
    ).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
  });

  it('gives its items to calls that name them, as the AI SDK does', async () => {
    const responses = connect(gateway.key);
    say('Oslo.');
    const { output } = await responses.create({ model: 'm', input: 'A capital?' });
    say('Yes.');
    await responses.create({
      model: 'm',
      input: [
        { role: 'user', content: 'A capital?' },
        { type: 'item_reference', id: String(output[0]?.id) },
        { role: 'user', content: 'Sure?' },
      ],
    });
    expect(upstream.asked[1]?.body.messages).toMatchObject([
      {},
      { role: 'assistant', content: 'Oslo.' },
      { content: 'Sure?' },
    ]);
  });

  it('C1: an item is named once: a small request must not stand for any number of large items', async () => {
    const responses = connect(gateway.key);
    say('x'.repeat(100_000));
    const { output } = await responses.create({ model: 'm', input: 'Much?' });
    const reference = { type: 'item_reference' as const, id: String(output[0]?.id) };
    const asked = upstream.asked.length;
    await expect(
      responses.create({ model: 'm', input: Array.from({ length: 2 }, () => reference) }),
    ).rejects.toMatchObject({ status: 400, param: 'input[1].id' });
    const many = Array.from({ length: 1_001 }, (_, index) => ({ ...reference, id: `msg_${index}` }));
    await expect(responses.create({ model: 'm', input: many })).rejects.toMatchObject({ status: 400 });
    expect(upstream.asked).toHaveLength(asked);
  });

  it('is gone on from with a photograph of three megabytes', async () => {
    const responses = connect(gateway.key);
    const image_url = `data:image/png;base64,${Buffer.alloc(2_250_000, 1).toString('base64')}`;
    say('A boat.');
    const { id } = await responses.create({
      model: 'm',
      input: [{ role: 'user', content: [{ type: 'input_image', image_url, detail: 'auto' }] }],
    });
    say('Red.');
    await responses.create({ model: 'm', input: 'Its colour?', previous_response_id: id });
    expect(upstream.asked[1]?.body.messages).toMatchObject([
      { content: [{ type: 'image' }] },
      { content: 'A boat.' },
      { content: 'Its colour?' },
    ]);
  });

  it('C1: is not kept where its input is longer than what is kept', async () => {
    const responses = connect(gateway.key);
    say('Long.');
    const { id } = await responses.create({ model: 'm', input: 'x'.repeat(4_200_000) });
    expect(id).toMatch(/^resp_/);
    expect([...kept.rows]).toEqual([]);
  });

  it('that was compacted is gone on from without the wish to compact', async () => {
    const responses = connect(gateway.key);
    say('They talk of Oslo.');
    const trigger = { type: 'compaction_trigger' } as unknown as OpenAI.Responses.ResponseInputItem;
    const { id } = await responses.create({
      model: 'm',
      input: [{ role: 'user', content: 'A capital?' }, trigger],
    });
    say('Norway.');
    const next = await responses.create({ model: 'm', input: 'Of what?', previous_response_id: id });
    expect(next.output_text).toBe('Norway.');
    const told = JSON.stringify(upstream.asked[1]?.body.messages);
    for (const text of ['A capital?', 'They talk of Oslo.', 'Of what?']) expect(told).toContain(text);
  });

  it('is held for and bounded by the whole conversation', async () => {
    const responses = connect(gateway.key);
    say('x'.repeat(50_000));
    const { id } = await responses.create({ model: 'm', input: 'Much?' });
    const held: bigint[] = [];
    const { openHold } = gateway.context.wallet;
    Object.assign(gateway.context.wallet, {
      openHold: (request: Parameters<typeof openHold>[0]) => {
        held.push(request.wanted);
        return openHold(request);
      },
    });
    say('ok');
    await responses.create({ model: 'm', input: 'y', max_output_tokens: 10 });
    await responses.create({ model: 'm', input: 'y', max_output_tokens: 10, previous_response_id: id });
    // 50,000 bytes more of a prompt at 0.25 dollars a million tokens.
    expect((held[1] ?? 0n) - (held[0] ?? 0n)).toBeGreaterThan(50_000n * 250n);
  });
});

it('an empty wallet has nothing read', async () => {
  say('Oslo.');
  const { id } = await connect(gateway.key).create({ model: 'm', input: 'A capital?' });
  needFunds = () => {
    throw new GatewayError('insufficient_balance', 'The wallet of this API key is empty.');
  };
  const next = connect(gateway.key).create({ model: 'm', input: 'y', previous_response_id: id });
  await expect(next).rejects.toMatchObject({ status: 402 });
});

describe('another wallet', () => {
  it('finds nothing of it', async () => {
    say('Oslo.');
    const { id, output } = await connect(gateway.key).create({ model: 'm', input: 'A capital?' });
    const others = connect(OTHER_KEY);
    await expect(others.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(others.inputItems.list(id)).rejects.toMatchObject({ status: 404 });
    await expect(others.delete(id)).rejects.toMatchObject({ status: 404 });
    await expect(others.create({ model: 'm', input: 'y', previous_response_id: id })).rejects.toMatchObject({
      status: 400,
      param: 'previous_response_id',
    });
    const input = [{ type: 'item_reference' as const, id: String(output[0]?.id) }];
    await expect(others.create({ model: 'm', input })).rejects.toMatchObject({ status: 400 });
    expect(await connect(gateway.key).retrieve(id)).toMatchObject({ id });
  });
});

describe('a response is not kept', () => {
  it('where its client or its key does not want it', async () => {
    say('Oslo.');
    const unwanted = await connect(gateway.key).create({ model: 'm', input: 'A capital?', store: false });
    const off = await connect(OFF_KEY).create({ model: 'm', input: 'A capital?' });
    expect([unwanted, off]).toMatchObject([{ store: false }, { store: false }]);
    expect(kept.rows.size).toBe(0);
    const goingOn = connect(OFF_KEY).create({ model: 'm', input: 'y', previous_response_id: 'resp_1' });
    await expect(goingOn).rejects.toMatchObject({ status: 400 });
  });

  it('where the database fails, and is answered and charged all the same', async () => {
    kept.failing = true;
    say('Oslo.');
    expect(await connect(gateway.key).create({ model: 'm', input: 'x' })).toMatchObject({
      output_text: 'Oslo.',
    });
    await gateway.context.requestLog.flush();
    expect(gateway.log).toMatchObject([{ status: 200, reason: 'completed' }]);
  });

  it('where it failed', async () => {
    upstream.answer = { status: 500, body: '{"error":{"message":"no"}}' };
    await expect(connect(gateway.key).create({ model: 'm', input: 'x' })).rejects.toMatchObject({
      status: 502,
    });
    expect(kept.rows.size).toBe(0);
  });
});

describe('an upstream whose account several wallets share', () => {
  const OUTPUT = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Oslo.' }] };
  beforeEach(() => {
    gateway.channels = [
      makeChannel('o', { type: 'openai', baseUrl: `${upstream.url}/v1`, apiKeys: ['sk-test'] }),
    ];
    upstream.answer = {
      body: JSON.stringify({
        id: 'resp_1',
        object: 'response',
        status: 'completed',
        model: 'm',
        output: [{ id: 'msg_1', ...OUTPUT }],
        usage: { input_tokens: 3, output_tokens: 2 },
      }),
    };
  });
  const about = (item: object) => ({
    model: 'm',
    input: [{ role: 'user', content: 'Hi' }, item] as OpenAI.Responses.ResponseInput,
  });

  it('H3: is asked for no item that the wallet does not know', async () => {
    await connect(gateway.key).create({ model: 'm', input: 'A capital?' });
    const asked = upstream.asked.length;
    const reference = { type: 'item_reference', id: 'msg_1' };
    for (const apiKey of [OTHER_KEY, OFF_KEY]) {
      for (const item of [reference, { id: 'msg_1' }, { type: null, role: 'user', id: 'msg_1' }]) {
        const refused = { status: 400, param: 'input[1]' };
        await expect(connect(apiKey).create(about(item))).rejects.toMatchObject(refused);
        await expect(connect(apiKey).inputTokens.count(about(item))).rejects.toMatchObject(refused);
      }
    }
    const escaped = JSON.stringify(about(reference)).replace('item_reference', 'item\\u005freference');
    const { status } = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OTHER_KEY}`, 'content-type': 'application/json' },
      body: escaped,
    });
    expect(status).toBe(400);
    expect(upstream.asked).toHaveLength(asked);
    await connect(gateway.key).create(about(reference));
    expect(upstream.asked[asked]?.body.input).toMatchObject([{ content: 'Hi' }, OUTPUT]);
  });

  it('is asked to keep nothing of a key that nothing is kept of', async () => {
    const trigger = { type: 'compaction_trigger' } as unknown as OpenAI.Responses.ResponseInputItem;
    for (const settings of [{}, { store: true }, { store: false }]) {
      for (const input of ['A capital?', 'x'.repeat(300_000), [trigger]]) {
        await connect(OFF_KEY).create({ model: 'm', input, ...settings });
      }
    }
    expect(upstream.asked.map(({ body }) => body.store)).toEqual(Array.from({ length: 9 }, () => false));
    await connect(gateway.key).create({ model: 'm', input: 'A capital?' });
    expect(upstream.asked[9]?.body).not.toHaveProperty('store');
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] };
    await connect(OFF_KEY).create({ ...about(reasoning), store: true });
    expect(upstream.asked[10]?.body.store).toBe(false);
  });
});

it('a stream is kept before it ends', async () => {
  const events = [
    { type: 'message_start', message: { id: 'msg_s', usage: { input_tokens: 3 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Oslo.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ];
  const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  upstream.answer = { contentType: 'text/event-stream', body };
  let id = '';
  for await (const event of await connect(gateway.key).create({ model: 'm', input: 'x', stream: true })) {
    if (event.type === 'response.completed') id = event.response.id;
  }
  expect(kept.rows.get(`w ${id}`)).toMatchObject({ input: [{ content: 'x' }] });
  say('Norway.');
  const next = await connect(gateway.key).create({ model: 'm', input: 'y', previous_response_id: id });
  expect(next.output_text).toBe('Norway.');
});

it.each([false, true])(
  'the sandbox says that its responses are kept, and what they go on from; stream: %s',
  async (stream) => {
    gateway.channels = [makeChannel('c', { type: 'sandbox' })];
    const ask = async (apiKey: string, settings: object = {}) => {
      const body = {
        model: 'm',
        input: 'A capital?',
        metadata: { about: 'capitals' },
        max_output_tokens: 5,
        ...settings,
      };
      if (!stream) return connect(apiKey).create(body);
      const events = await connect(apiKey).create({ ...body, stream });
      for await (const event of events) if (event.type === 'response.incomplete') return event.response;
      throw new Error('the stream has no end');
    };
    const first = await ask(gateway.key);
    expect(first).toMatchObject({ store: true, previous_response_id: null, metadata: { about: 'capitals' } });
    const second = await ask(gateway.key, { previous_response_id: first.id });
    expect(second).toMatchObject({ store: true, previous_response_id: first.id });
    expect(await connect(gateway.key).retrieve(second.id)).toMatchObject({ previous_response_id: first.id });
    const unkept = [await ask(gateway.key, { store: false }), await ask(OFF_KEY)];
    expect(unkept).toMatchObject([{ store: false }, { store: false }]);
  },
);
