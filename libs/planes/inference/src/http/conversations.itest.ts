import { type CallerToken, newId, sha256 } from '@mg/contract';
import { deriveSecretKey, openDatabase, StoredConversations, StoredResponses } from '@mg/persistence/gateway';
import { createTestDatabase, seedPayer } from '@mg/testkit';
import OpenAI from 'openai';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Funds } from '../access/funds.js';
import { TokenCache } from '../access/token-cache.js';
import { type ScriptedUpstream, startScriptedUpstream, writeEvents } from '../testing/scripted-upstream.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const OTHER_KEY = 'sk-other-wallet-0000';
const OFF_KEY = 'sk-remembers-nothing';

let stopDatabase: () => Promise<void>;
let database: DataSource;
let upstream: ScriptedUpstream;
let gateway: SmallGateway;

async function openConversations(databaseUrl: string): Promise<DataSource> {
  return openDatabase({ url: databaseUrl, poolSize: 4, applicationName: 'conversations-test' });
}

beforeAll(async () => {
  const { databaseUrl, stop } = await createTestDatabase(async (url) =>
    (await openConversations(url)).destroy(),
  );
  stopDatabase = stop;
  database = await openConversations(databaseUrl);
  upstream = await startScriptedUpstream();
  const { walletId } = await seedPayer(database, { balance: 1n });
  const { walletId: otherId } = await seedPayer(database, { balance: 1n });
  const wallets: Readonly<Record<string, Partial<CallerToken>>> = {
    [sha256('sk-talking000000000')]: { walletId },
    [sha256(OTHER_KEY)]: { walletId: otherId },
    [sha256(OFF_KEY)]: { walletId, storesResponses: false },
  };
  const tokens = new TokenCache(async (hash) => {
    const facts = wallets[hash];
    return facts && ({ id: hash, name: 't', userId: 'u', disabled: false, ...facts } as CallerToken);
  });
  const key = deriveSecretKey('a key of thirty-two characters...');
  gateway = await startSmallGateway('talking', {
    tokens,
    funds: { need: async () => undefined } as unknown as Funds,
    responses: new StoredResponses(database, key),
    conversations: new StoredConversations(database, key),
  });
  gateway.channels = [
    makeChannel('c', { type: 'anthropic', baseUrl: `${upstream.url}/v1`, apiKeys: ['sk-test'] }),
  ];
});
beforeEach(() => {
  upstream.asked.length = 0;
});
afterAll(async () => {
  await gateway.close();
  upstream.close();
  await database.destroy();
  await stopDatabase();
});

const connect = (apiKey = gateway.key) => new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });

function say(text: string): void {
  upstream.answer = {
    body: JSON.stringify({
      id: `msg_${newId()}`,
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 2 },
    }),
  };
}

async function listTexts(client: OpenAI, id: string): Promise<unknown[]> {
  const texts: unknown[] = [];
  for await (const item of client.conversations.items.list(id, { order: 'asc', limit: 2 })) {
    const [part] = 'content' in item ? (item.content ?? []) : [];
    texts.push(part && 'text' in part ? part.text : item.type);
  }
  return texts;
}

describe('conversations, by the official SDK', () => {
  it('are begun, changed, filled, listed page by page and deleted', async () => {
    const { conversations } = connect();
    const { id, metadata } = await conversations.create({
      metadata: { topic: 'capitals' },
      items: [{ type: 'message', role: 'user', content: 'A capital?' }],
    });
    expect(id).toMatch(/^conv_/);
    expect(metadata).toEqual({ topic: 'capitals' });
    expect(await conversations.update(id, { metadata: { topic: 'rivers' } })).toMatchObject({ id });
    expect(await conversations.retrieve(id)).toMatchObject({
      object: 'conversation',
      metadata: { topic: 'rivers' },
    });
    const added = await conversations.items.create(id, {
      items: [
        { role: 'assistant', content: 'Oslo.' },
        { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'seen' },
      ],
    });
    expect(added.data).toMatchObject([
      { type: 'message', status: 'completed', content: [{ type: 'output_text', text: 'Oslo.' }] },
      { type: 'function_call' },
      { type: 'function_call_output' },
    ]);
    expect(await listTexts(connect(), id)).toEqual([
      'A capital?',
      'Oslo.',
      'function_call',
      'function_call_output',
    ]);
    const itemId = String(added.data[0]?.id);
    expect(await conversations.items.retrieve(itemId, { conversation_id: id })).toMatchObject({ id: itemId });
    expect(await conversations.items.delete(itemId, { conversation_id: id })).toMatchObject({ id });
    await expect(conversations.items.retrieve(itemId, { conversation_id: id })).rejects.toMatchObject({
      status: 404,
    });
    expect(await conversations.delete(id)).toEqual({ id, object: 'conversation.deleted', deleted: true });
    await expect(conversations.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(conversations.items.list(id)).rejects.toMatchObject({ status: 404 });
  });

  it('are gone on with by responses, whose input and answer they get', async () => {
    const client = connect();
    const { id } = await client.conversations.create({
      items: [{ role: 'developer', content: 'Be brief.' }],
    });
    say('Oslo.');
    const first = await client.responses.create({ model: 'm', input: 'A capital?', conversation: id });
    say('Norway.');
    await client.responses.create({ model: 'm', input: 'Of what?', conversation: { id }, store: false });
    expect(upstream.asked[1]?.body).toMatchObject({
      system: 'Be brief.',
      messages: [
        { role: 'user', content: 'A capital?' },
        { role: 'assistant', content: 'Oslo.' },
        { role: 'user', content: 'Of what?' },
      ],
    });
    expect(await listTexts(client, id)).toEqual(['Be brief.', 'A capital?', 'Oslo.', 'Of what?', 'Norway.']);
    const kept = await client.responses.retrieve(first.id);
    expect(kept).toMatchObject({ conversation: { id }, previous_response_id: null });
    const { data } = await client.responses.inputItems.list(first.id);
    expect(data).toMatchObject([{ content: [{ text: 'A capital?' }] }]);
    await expect(
      client.responses.create({ model: 'm', input: 'x', previous_response_id: first.id }),
    ).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
    const counted = await client.responses.inputTokens.count({ model: 'm', input: 'x', conversation: id });
    const alone = await client.responses.inputTokens.count({ model: 'm', input: 'x' });
    expect(counted.object).toBe('response.input_tokens');
    expect(counted.input_tokens).toBeGreaterThanOrEqual(alone.input_tokens);
  });

  it('get what was streamed before the stream ends', async () => {
    const client = connect();
    const { id } = await client.conversations.create();
    upstream.answer = writeEvents(
      { type: 'message_start', message: { id: 'msg_s', usage: { input_tokens: 3 } } } as { type: string },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as {
        type: string;
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Oslo.' } } as {
        type: string;
      },
      { type: 'content_block_stop', index: 0 } as { type: string },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } } as {
        type: string;
      },
      { type: 'message_stop' },
    );
    const stream = await client.responses.create({ model: 'm', input: 'x', conversation: id, stream: true });
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(types.at(-1)).toBe('response.completed');
    expect(await listTexts(client, id)).toEqual(['x', 'Oslo.']);
  });

  it('get the turns of responses that end at the same time one after the other, each whole', async () => {
    const client = connect();
    const { id } = await client.conversations.create();
    say('Yes.');
    const inputs = Array.from({ length: 6 }, (_, index) => `question ${index}`);
    await Promise.all(
      inputs.map((input) => client.responses.create({ model: 'm', input, conversation: id })),
    );
    const texts = await listTexts(client, id);
    expect(texts).toHaveLength(12);
    expect(texts.filter((_, index) => index % 2 === 1)).toEqual(inputs.map(() => 'Yes.'));
    expect(texts.filter((_, index) => index % 2 === 0).toSorted()).toEqual(inputs);
  });

  it('get nothing of a response that failed', async () => {
    const client = connect();
    const { id } = await client.conversations.create();
    upstream.answer = { status: 500, body: '{"error":{"message":"no"}}' };
    await expect(client.responses.create({ model: 'm', input: 'x', conversation: id })).rejects.toMatchObject(
      { status: 502 },
    );
    expect(await listTexts(client, id)).toEqual([]);
  });

  it('are not answered from the cache: they change from one call to the next', async () => {
    const client = connect();
    const { id } = await client.conversations.create();
    const headers = { 'x-gateway-cache': '60s' };
    for (const text of ['One.', 'Two.']) {
      say(text);
      const body = { model: 'm', input: 'Next?', conversation: id };
      expect((await client.responses.create(body, { headers })).output_text).toBe(text);
    }
  });
});

describe('a conversation', () => {
  it('is not there for another wallet, nor for a key that nothing is kept of', async () => {
    const { id } = await connect().conversations.create({ items: [{ role: 'user', content: 'mine' }] });
    const { data } = await connect().conversations.items.list(id);
    for (const key of [OTHER_KEY, OFF_KEY]) {
      const { conversations, responses } = connect(key);
      const gone = { status: 404 };
      await expect(conversations.retrieve(id)).rejects.toMatchObject(gone);
      await expect(conversations.update(id, { metadata: {} })).rejects.toMatchObject(gone);
      await expect(conversations.items.list(id)).rejects.toMatchObject(gone);
      const items = [{ role: 'user' as const, content: 'theirs' }];
      await expect(conversations.items.create(id, { items })).rejects.toMatchObject(gone);
      const itemId = String(data[0]?.id);
      await expect(conversations.items.delete(itemId, { conversation_id: id })).rejects.toMatchObject(gone);
      await expect(conversations.delete(id)).rejects.toMatchObject(gone);
      await expect(responses.create({ model: 'm', input: 'x', conversation: id })).rejects.toMatchObject({
        status: 400,
        param: 'conversation',
      });
    }
    expect(await listTexts(connect(), id)).toEqual(['mine']);
    await expect(connect(OFF_KEY).conversations.create()).rejects.toMatchObject({ status: 400 });
  });

  const item = { role: 'user', content: 'x' };
  it.each([
    ['', { items: Array.from({ length: 21 }, () => item) }, 'items'],
    ['', { items: [{ content: 'x' }] }, 'items[0]'],
    ['', { items: [{ type: 'item_reference', id: 'msg_1' }] }, 'items[0]'],
    ['', { metadata: { a: 'x'.repeat(513) } }, 'metadata.a'],
    ['', { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [n, 'x'])) }, 'metadata'],
    ['/items', { items: [] }, 'items'],
    ['/items', {}, 'items'],
  ])('refuses at its path%s what it cannot take: %#', async (path, body, param) => {
    const { id } = await connect().conversations.create();
    const answer = await gateway.post(`/v1/conversations${path === '' ? '' : `/${id}${path}`}`, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ detail: { param } });
  });

  it('is refused beside previous_response_id, with a long input, and once it is too long', async () => {
    const client = connect();
    const { id } = await client.conversations.create();
    const both = { model: 'm', input: 'x', conversation: id, previous_response_id: 'resp_1' };
    await expect(client.responses.create(both)).rejects.toMatchObject({ status: 400, param: 'conversation' });
    const long = { model: 'm', input: 'x'.repeat(1_100_000), conversation: id };
    await expect(client.responses.create(long)).rejects.toMatchObject({ status: 400, param: 'input' });
    const items = [{ role: 'user' as const, content: 'x'.repeat(1_500_000) }];
    await client.conversations.items.create(id, { items });
    await client.conversations.items.create(id, { items });
    await expect(client.conversations.items.create(id, { items })).rejects.toMatchObject({
      status: 400,
      param: 'items',
    });
    expect(upstream.asked).toEqual([]);
    await expect(client.conversations.items.list(id, { after: 'msg_none' })).rejects.toMatchObject({
      status: 400,
      param: 'after',
    });
  });
});
