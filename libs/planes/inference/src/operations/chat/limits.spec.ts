import { type Channel, DEFAULT_TIMEOUTS, type Model, parsePrice, type PriceSheet } from '@mg/contract';
import type { ClientProtocolName, JsonObject } from '@mg/protocols';
import type { Attempt } from '@mg/routing';
import { describe, expect, it } from 'vitest';
import { ChatEndpoints } from '../../call/chat-endpoints.js';
import { listUnpriced } from './bound-tokens.js';
import type { ChatAttempt } from './chat-attempt.js';
import { ChatRequest } from './chat-request.js';
import { type HeldChat, prepareChat } from './prepare-chat.js';
import { sizeChat } from './size-chat.js';

const PRICE: PriceSheet = { input_per_million: '1', output_per_million: '1' };
const TEXT: Readonly<Record<string, JsonObject>> = {
  'openai-chat': { model: 'm', messages: [{ role: 'user', content: 'x' }] },
  'openai-responses': { model: 'm', input: 'x' },
  'openai-completions': { model: 'm', prompt: 'x' },
  'anthropic-messages': { model: 'm', max_tokens: 90, messages: [{ role: 'user', content: 'x' }] },
  'gemini-generate': { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
};
/** A channel that speaks a protocol, and a model of it. */
const CHANNELS: Readonly<Record<string, readonly [type: string, model: string]>> = {
  'openai-chat': ['openai-compatible', 'some-model'],
  'openai-responses': ['openai', 'gpt-5.5-pro'],
  'anthropic-messages': ['anthropic', 'claude-sonnet-4-6'],
  'gemini-generate': ['gemini', 'gemini-2.5-flash'],
};

interface Limits {
  readonly cap?: number;
  readonly toolUses?: number;
  readonly sheet?: PriceSheet;
  /** Protocols of all channels that the call may go to; that of the channel which is asked where left out. */
  readonly plan?: readonly string[];
}

function makeAttempt(protocol: string): Attempt {
  const [type, upstreamModel] = CHANNELS[protocol] ?? ['', ''];
  const channel: Channel = {
    id: protocol,
    name: protocol,
    type,
    baseUrl: 'http://127.0.0.1:1',
    apiKeys: ['k'],
    models: new Map(),
    settings: {},
    priority: 0,
    weight: 1,
    timeouts: DEFAULT_TIMEOUTS,
  };
  return { slug: 'm', channel, upstreamModel, reason: '' };
}

/** What a channel of another or the same protocol is asked. */
async function prepare(
  client: ClientProtocolName,
  upstream: string,
  more: JsonObject,
  { cap, toolUses, sheet = PRICE, plan = [upstream] }: Limits = {},
): Promise<ChatAttempt> {
  const parsed = { ...TEXT[client], ...more };
  const body = Buffer.from(JSON.stringify(parsed));
  const attempt = makeAttempt(upstream);
  const endpoints = new ChatEndpoints();
  const endpoint = endpoints.find(attempt.channel, 'chat', attempt.upstreamModel, client);
  if (!endpoint) throw new Error('no endpoint');
  const price = parsePrice(sheet);
  const envelope = {
    model: 'm',
    stream: false,
    includeUsage: true,
    choices: 1,
    maxTokens: undefined,
    parsed,
  };
  const request = new ChatRequest(client, envelope, body, {});
  const model = { slug: 'm', kind: 'chat', createdAt: 0, prices: [] } as unknown as Model;
  const { demand } = sizeChat(request, model, { attempts: plan.map(makeAttempt) }, endpoints);
  const chat = {
    request,
    hold: {
      requestId: 'r',
      granted: 0n,
      price: { versionId: 'v', effectiveFrom: 0, price },
      cap,
      toolUses,
      demand,
      unpriced: listUnpriced(demand, price),
    },
  } as unknown as HeldChat;
  return prepareChat(endpoint, attempt, chat, { enabled: false, allowPrivate: false });
}

async function send(...call: Parameters<typeof prepare>): Promise<JsonObject> {
  return JSON.parse((await prepare(...call)).body.toString()) as JsonObject;
}

const refusal = (param: string) =>
  expect.objectContaining({ code: 'invalid_request', reason: 'model_not_priced', param });

describe('H2: an answer without a cap of the caller is capped in every lane', () => {
  it.each<[ClientProtocolName, string, JsonObject]>([
    ['openai-chat', 'openai-chat', { max_tokens: 70 }],
    ['openai-chat', 'openai-responses', { max_output_tokens: 70 }],
    ['openai-chat', 'anthropic-messages', { max_tokens: 70 }],
    ['openai-chat', 'gemini-generate', { generationConfig: { maxOutputTokens: 70 } }],
    ['openai-responses', 'openai-responses', { max_output_tokens: 70 }],
    ['openai-responses', 'openai-chat', { max_tokens: 70 }],
    ['gemini-generate', 'gemini-generate', { generationConfig: { maxOutputTokens: 70 } }],
    ['gemini-generate', 'openai-chat', { max_tokens: 70 }],
  ])('%s to %s', async (client, upstream, capped) => {
    expect(await send(client, upstream, {}, { cap: 70 })).toMatchObject(capped);
  });
});

describe('H4: what the model has no price for reaches no provider', () => {
  it.each<[ClientProtocolName, JsonObject, string]>([
    ['openai-responses', { tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    ['openai-responses', { tools: [{ type: 'image_generation' }] }, 'tools[0].type'],
    ['openai-responses', { service_tier: 'priority' }, 'service_tier'],
    ['openai-chat', { web_search_options: {} }, 'web_search_options'],
    ['openai-chat', { tools: [{ type: 'browser_search' }] }, 'tools[0].type'],
    ['openai-chat', { service_tier: 'flex' }, 'service_tier'],
    ['anthropic-messages', { tools: [{ type: 'code_execution_20250825' }] }, 'tools[0].type'],
    ['anthropic-messages', { speed: 'fast' }, 'speed'],
    ['gemini-generate', { tools: [{ google_search: {} }] }, 'tools[0].google_search'],
    ['gemini-generate', { serviceTier: 'priority' }, 'serviceTier'],
  ])('%s: %j', async (client, more, param) => {
    await expect(prepare(client, client, more)).rejects.toThrow(refusal(param));
  });

  it('is left out and named where the channel could have run it as its own', async () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const { body, dropped } = await prepare('anthropic-messages', 'openai-responses', { tools });
    expect(JSON.parse(body.toString())).not.toHaveProperty('tools');
    expect(dropped?.toString()).toBe('tools.web_search');
  });

  it('is refused where it may not be left out', async () => {
    const asked = prepare('openai-chat', 'openai-responses', { web_search_options: {} });
    await expect(asked).rejects.toThrow(refusal('web_search_options'));
  });

  it('is refused in a tier that another protocol would be asked for', async () => {
    const asked = prepare('openai-chat', 'gemini-generate', { service_tier: 'priority' });
    await expect(asked).rejects.toThrow(refusal('service_tier'));
    const { dropped } = await prepare('openai-chat', 'anthropic-messages', { service_tier: 'priority' });
    expect(dropped?.has('service_tier')).toBe(true);
  });
});

describe('H4: tools without a limit are limited in every lane', () => {
  const sheet = { ...PRICE, per_web_search: '0.01' };

  it.each<[ClientProtocolName, string, JsonObject, JsonObject]>([
    ['openai-responses', 'openai-responses', { tools: [{ type: 'web_search' }] }, { max_tool_calls: 3 }],
    [
      'anthropic-messages',
      'anthropic-messages',
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      { tools: [{ type: 'web_search_20250305', max_uses: 3 }] },
    ],
    [
      'anthropic-messages',
      'openai-responses',
      { tools: [{ type: 'web_search_20250305' }] },
      { max_tool_calls: 3 },
    ],
    [
      'openai-responses',
      'anthropic-messages',
      { tools: [{ type: 'web_search' }] },
      { tools: [{ max_uses: 3 }] },
    ],
  ])('%s to %s', async (client, upstream, more, limited) => {
    expect(await send(client, upstream, more, { sheet, toolUses: 3 })).toMatchObject(limited);
  });

  it('keeps the limit of the caller, in another protocol too', async () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }];
    expect(await send('anthropic-messages', 'openai-responses', { tools }, { sheet })).toMatchObject({
      max_tool_calls: 8,
    });
    expect(
      await send('openai-chat', 'openai-responses', { web_search_options: {} }, { sheet }),
    ).toMatchObject({
      max_tool_calls: 1,
    });
  });

  const search = [{ type: 'web_search' }];
  const oneUse = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1 }];

  it.each<[ClientProtocolName, string, JsonObject, JsonObject]>([
    [
      'openai-responses',
      'anthropic-messages',
      { tools: search, max_tool_calls: 1 },
      { tools: [{ max_uses: 1 }] },
    ],
    ['openai-responses', 'anthropic-messages', { tools: search }, { tools: [{ max_uses: 5 }] }],
    ['anthropic-messages', 'openai-responses', { tools: oneUse }, { max_tool_calls: 1 }],
  ])(
    "stays so where Google's models could be asked instead: %s to %s, %j",
    async (client, upstream, more, limited) => {
      const facts = { sheet, toolUses: 5, plan: [upstream, 'gemini-generate'] };
      expect(await send(client, upstream, more, facts)).toMatchObject(limited);
    },
  );
});
