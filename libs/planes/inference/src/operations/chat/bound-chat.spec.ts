import {
  type CallerToken,
  DEFAULT_TIMEOUTS,
  GatewayError,
  type HoldRequest,
  LONGEST_HOLD_SECONDS,
  type Model,
  type NanoUsd,
  NO_USAGE,
  parsePrice,
  parseUsd,
  type PriceSheet,
} from '@mg/contract';
import type { ClientProtocolName, JsonObject } from '@mg/protocols';
import { describe, expect, it } from 'vitest';
import { CallRecord } from '../../call/call-record.js';
import { ChatEndpoints } from '../../call/chat-endpoints.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import { HeldCalls } from '../../call/held-calls.js';
import { reserve } from '../../call/reserve.js';
import { NO_LEASES } from '../../leases/leases.js';
import { makeChannel } from '../../testing/small-gateway.js';
import { billUsage } from './bill-usage.js';
import type { ChatHold } from './bound-chat.js';
import { ChatOperation } from './chat-operation.js';
import { ChatRequest } from './chat-request.js';

/** A dollar for a million tokens in either direction: a worst case of so many tokens is so many microdollars. */
const PRICE: PriceSheet = { input_per_million: '1', output_per_million: '1' };
const MILLION = 1_000_000n;
const WINDOW = 100_000;

interface Reserved {
  readonly wanted: NanoUsd;
  readonly minimum: NanoUsd;
  readonly ttlSeconds: number;
  readonly hold: ChatHold;
}

/** Sets money aside for a request, of which billing grants `funds` at most. */
async function reserveFor(
  protocol: ClientProtocolName,
  parsed: JsonObject,
  facts: Partial<Model> & {
    sheet?: PriceSheet;
    funds?: string;
    choices?: number;
    headers?: object;
    totalsMs?: readonly number[];
    /** Types of the channels that it may go to. */
    types?: readonly string[];
  } = {},
): Promise<Reserved> {
  const {
    sheet = PRICE,
    funds = '1000000',
    choices = 1,
    headers = {},
    totalsMs = [],
    types = [],
    ...limits
  } = facts;
  const body = Buffer.from(JSON.stringify(parsed));
  const maxTokens = (parsed.max_tokens ?? parsed.max_output_tokens) as number | undefined;
  const envelope = { model: 'm', stream: false, includeUsage: false, choices, maxTokens, parsed };
  const request = new ChatRequest(protocol, envelope, body, { ...headers });
  const model: Model = {
    slug: 'm',
    kind: 'chat',
    createdAt: 0,
    maxOutputTokens: 1_000,
    contextWindow: WINDOW,
    prices: [{ versionId: 'v', effectiveFrom: 0, price: parsePrice(sheet) }],
    ...limits,
  };
  const asked: HoldRequest[] = [];
  const channels = totalsMs.map((totalMs) => ({ timeouts: { ...DEFAULT_TIMEOUTS, totalMs } }));
  const gateway = {
    chatEndpoints: new ChatEndpoints(),
    catalog: () => ({ channelsBySlug: new Map([['m', channels]]) }),
    wallet: {
      openHold: async (hold: HoldRequest) => {
        asked.push(hold);
        const available = parseUsd(funds);
        return available < hold.minimum
          ? { refused: 'insufficient_balance', message: 'Too little.' }
          : { granted: available < hold.wanted ? available : hold.wanted };
      },
    },
    journal: { pending: 0, failingMs: 0, add: () => undefined },
    heldCalls: new HeldCalls(),
    leases: NO_LEASES,
    metrics: { countAdmission: () => undefined },
  } as unknown as GatewayContext;
  const record = new CallRecord('r', '/', { id: 't', walletId: 'w' } as CallerToken);
  const attempts = types.map((type) => ({
    channel: makeChannel(type, { type }),
    slug: 'm',
    upstreamModel: 'm',
    reason: '',
  }));
  const plan = { attempts, cooldownUntilMs: undefined };
  const operation = new ChatOperation(request, gateway);
  const hold = await reserve(operation, { model, plan, record }, gateway);
  const { wanted = 0n, minimum = 0n, ttlSeconds = 0 } = asked[0] ?? {};
  return { hold, wanted, minimum, ttlSeconds };
}

/** Tokens that an amount pays for at {@link PRICE}, without the room for rounding. */
const tokensOf = (amount: NanoUsd) => Number((amount - (amount % 1_000n)) / 1_000n);

const text = { messages: [{ role: 'user', content: 'x'.repeat(100) }], max_tokens: 10 };
const withPart = (part: unknown) => ({ messages: [{ role: 'user', content: [part] }], max_tokens: 10 });
const file = withPart({ type: 'file', file: { file_id: 'f' } });
const image = withPart({ type: 'image_url', image_url: { url: 'https://a/b' } });

describe('F4: the time of a hold', () => {
  const hour = 60 * 60_000;
  it.each([
    ['the usual time', [], DEFAULT_TIMEOUTS.totalMs],
    ['a short time', [1_000], DEFAULT_TIMEOUTS.totalMs],
    ['the longest of several', [hour, 2 * hour, 1_000], 2 * hour],
  ])('is longer than a call over channels that allow %s', async (_what, totalsMs, longestMs) => {
    const { ttlSeconds } = await reserveFor('openai-chat', text, { totalsMs });
    expect(ttlSeconds * 1_000).toBeGreaterThan(longestMs);
  });

  it('is never longer than billing holds money for', async () => {
    const { ttlSeconds } = await reserveFor('openai-chat', text, { totalsMs: [100 * hour] });
    expect(ttlSeconds).toBe(LONGEST_HOLD_SECONDS);
  });
});

describe('F2, H2c: the worst case of a prompt', () => {
  it('is its bytes for a text, and never more than the context of the model', async () => {
    const { wanted } = await reserveFor('openai-chat', text);
    expect(tokensOf(wanted)).toBe(JSON.stringify(text).length + 10);
    const long = { ...text, messages: [{ role: 'user', content: 'x'.repeat(2 * WINDOW) }] };
    expect(tokensOf((await reserveFor('openai-chat', long)).wanted)).toBe(WINDOW + 10);
    const unknown = await reserveFor('openai-chat', long, { contextWindow: undefined });
    expect(tokensOf(unknown.wanted)).toBeGreaterThan(2 * WINDOW);
  });

  it('is the whole context where a file brings tokens, two million where no context is known', async () => {
    expect(tokensOf((await reserveFor('openai-chat', file)).wanted)).toBe(WINDOW + 10);
    const { wanted } = await reserveFor('openai-chat', file, { contextWindow: undefined });
    expect(tokensOf(wanted)).toBe(2_000_010);
  });

  it('is longer where the caller asks for a longer context', async () => {
    const headers = { 'anthropic-beta': 'context-1m-2025-08-07' };
    expect(tokensOf((await reserveFor('openai-chat', file, { headers })).wanted)).toBe(1_000_010);
  });

  it('of an image by URL is that of one image, so that a dollar is enough for a model of middling price', async () => {
    const sheet = { input_per_million: '3', cache_write_1h_per_million: '6', output_per_million: '15' };
    const { wanted } = await reserveFor('openai-chat', image, { sheet, contextWindow: 1_000_000 });
    expect(wanted).toBeLessThan(parseUsd('0.2'));
    expect(wanted).toBeGreaterThan(parseUsd('0.09'));
  });

  it('tells who cannot pay for it what needs so much, and the operator what to set', async () => {
    const poor = { funds: '0.05', contextWindow: undefined };
    await expect(reserveFor('openai-chat', file, poor)).rejects.toThrow(
      expect.objectContaining({ code: 'insufficient_balance', param: 'messages[0].content[0]' }),
    );
    await expect(reserveFor('openai-chat', file, poor)).rejects.toThrow(/"m" has no context_window/);
  });
});

describe('H2: the worst case of an answer', () => {
  it('counts every choice', async () => {
    const one = tokensOf((await reserveFor('openai-chat', text)).wanted);
    expect(tokensOf((await reserveFor('openai-chat', text, { choices: 4 })).wanted)).toBe(one + 3 * 10);
  });

  it('counts a prediction beside the cap', async () => {
    const prediction = { type: 'content', content: 'y'.repeat(500) };
    const { wanted } = await reserveFor('openai-chat', { ...text, prediction });
    expect(tokensOf(wanted)).toBeGreaterThanOrEqual(JSON.stringify({ ...text, prediction }).length + 510);
  });

  it('is capped in the request where the caller set no cap', async () => {
    const { messages } = text;
    expect((await reserveFor('openai-chat', { messages })).hold.cap).toBe(1_000);
    expect((await reserveFor('openai-chat', text)).hold.cap).toBeUndefined();
    const unknown = { maxOutputTokens: undefined };
    expect((await reserveFor('openai-chat', { messages }, unknown)).hold.cap).toBe(16_384);
    const small = { maxOutputTokens: undefined, contextWindow: 8_192 };
    expect((await reserveFor('openai-chat', { messages }, small)).hold.cap).toBe(2_048);
  });

  it('leaves a long prompt room in the context', async () => {
    const messages = [{ role: 'user', content: 'x'.repeat(WINDOW) }];
    const { hold } = await reserveFor('openai-chat', { messages }, { maxOutputTokens: WINDOW });
    expect(hold.cap).toBe(WINDOW / 2);
  });
});

const SEARCH: PriceSheet = { ...PRICE, per_web_search: '0.01' };
const FEE = parseUsd('0.01');
const search = (more: JsonObject = {}) => ({
  ...text,
  tools: [{ type: 'web_search_20250305', name: 'web_search', ...more }],
});

describe('H4: the worst case of tools that the provider runs', () => {
  it('holds a fee and a whole context for every use', async () => {
    const body = search({ max_uses: 2 });
    const { wanted, hold } = await reserveFor('anthropic-messages', body, { sheet: SEARCH });
    const tokens = JSON.stringify(body).length + 2 * WINDOW + 10;
    expect(tokensOf(wanted - 2n * FEE)).toBe(tokens);
    expect(hold).toMatchObject({ toolUses: undefined, unpriced: [] });
  });

  it('limits what the caller left open, by funds where they are the limit', async () => {
    const rich = await reserveFor('anthropic-messages', search(), { sheet: SEARCH });
    expect(rich.hold.toolUses).toBe(5);
    const poor = await reserveFor('anthropic-messages', search(), { sheet: SEARCH, funds: '0.25' });
    expect(poor.hold.toolUses).toBe(2);
    const responses = { input: 'x', max_output_tokens: 10, tools: [{ type: 'web_search' }] };
    const { hold } = await reserveFor('openai-responses', responses, { sheet: SEARCH, funds: '0.25' });
    expect(hold.toolUses).toBe(2);
  });

  it("holds for as many searches as Google's models make where one of them may be asked, and bills as many", async () => {
    const body = search({ max_uses: 1 });
    const bytes = JSON.stringify(body).length;
    const facts = { sheet: SEARCH, types: ['gemini'] };
    const { wanted, hold } = await reserveFor('anthropic-messages', body, facts);
    expect(tokensOf(wanted - 20n * FEE)).toBe(bytes + 2 * WINDOW + 10);
    expect(billUsage({ ...NO_USAGE, webSearches: 20 }, hold)).toMatchObject({ webSearches: 20 });
    const open = search();
    const mixed = { sheet: SEARCH, types: ['gemini', 'anthropic'] };
    const either = await reserveFor('anthropic-messages', open, mixed);
    expect(tokensOf(either.wanted - 20n * FEE)).toBe(JSON.stringify(open).length + 5 * WINDOW + 10);
    const alone = await reserveFor('anthropic-messages', body, { sheet: SEARCH, types: ['anthropic'] });
    expect(tokensOf(alone.wanted - FEE)).toBe(bytes + WINDOW + 10);
  });

  it('leaves what else may be asked its own limit, and refuses nobody who can pay for one use of it', async () => {
    const mixed = { sheet: SEARCH, types: ['anthropic', 'gemini'] };
    const rich = await reserveFor('anthropic-messages', search(), mixed);
    expect(rich.hold.toolUses).toBe(5);
    // The fees of Google's searches, and its two contexts.
    expect(tokensOf(rich.minimum - 20n * FEE)).toBe(JSON.stringify(search()).length + 2 * WINDOW + 10);
    const poor = await reserveFor('anthropic-messages', search(), { ...mixed, funds: '0.55' });
    expect(poor.hold.toolUses).toBe(3);
  });

  it('bills a chat that asks for a search one of them, and more only where they are reported', async () => {
    const body = { ...text, web_search_options: {} };
    const { hold } = await reserveFor('openai-chat', body, { sheet: SEARCH, types: ['gemini', 'openai'] });
    expect(billUsage(NO_USAGE, hold).webSearches).toBe(1);
    expect(billUsage({ ...NO_USAGE, webSearches: 30 }, hold).webSearches).toBe(20);
  });

  it("holds Google's second context for clients of Responses, whatever they limit", async () => {
    const body = { input: 'x', max_output_tokens: 10, max_tool_calls: 1, tools: [{ type: 'web_search' }] };
    const bytes = JSON.stringify(body).length;
    for (const types of [['gemini'], ['openai', 'gemini']]) {
      const { wanted, minimum } = await reserveFor('openai-responses', body, { sheet: SEARCH, types });
      expect([wanted, minimum].map((held) => tokensOf(held - 20n * FEE))).toEqual(
        [bytes, bytes].map((tokens) => tokens + 2 * WINDOW + 10),
      );
    }
  });

  it.each<[ClientProtocolName, JsonObject]>([
    ['openai-chat', { web_search_options: {}, tools: [{ type: 'function', function: { name: 'f' } }] }],
    ['openai-chat', { web_search_options: {}, functions: [{ name: 'f' }] }],
    [
      'openai-responses',
      { max_tool_calls: 1, tools: [{ type: 'web_search' }, { type: 'custom', name: 'f' }] },
    ],
    [
      'openai-responses',
      { max_tool_calls: 1, tools: [{ type: 'web_search', filters: { allowed_domains: ['a.example'] } }] },
    ],
    ['anthropic-messages', { tools: [...search({ max_uses: 1 }).tools, { name: 'f', input_schema: {} }] }],
    ['anthropic-messages', search({ max_uses: 1, blocked_domains: ['a.example'] })],
  ])('%s: holds for no searches that Google is not asked for, %j', async (protocol, more) => {
    const facts = { sheet: SEARCH, types: ['anthropic', 'gemini'] };
    const held = (await reserveFor(protocol, { max_tokens: 10, ...more }, facts)).wanted;
    expect(held).toBeGreaterThan(FEE);
    expect(held).toBeLessThan(2n * FEE + parseUsd('0.12'));
  });

  it('holds a context for each round of tools that ask for no fee', async () => {
    const body = { ...text, tools: [{ type: 'mcp_toolset', mcp_server_name: 's' }] };
    const { wanted } = await reserveFor('anthropic-messages', body);
    expect(tokensOf(wanted)).toBe(JSON.stringify(body).length + 10 * WINDOW + 10);
  });

  it('says what the price does not cover, and holds nothing for it', async () => {
    const { hold, wanted } = await reserveFor('anthropic-messages', { ...search(), speed: 'fast' });
    expect(hold.unpriced).toEqual([
      { param: 'tools[0].type', name: 'web_search_20250305', kind: 'tool' },
      { param: 'speed', name: 'fast', kind: 'tier' },
    ]);
    expect(tokensOf(wanted)).toBeLessThan(WINDOW);
  });

  it('holds the more expensive of the tier that was asked for and the usual one', async () => {
    const tiers = {
      priority: { input_per_million: '2', output_per_million: '2' },
      flex: { input_per_million: '0.5', output_per_million: '0.5' },
    };
    const at = async (tier?: string) =>
      (await reserveFor('openai-chat', { ...text, service_tier: tier }, { sheet: { ...PRICE, tiers } }))
        .wanted;
    const usual = await at('standard');
    expect(Number(await at('priority'))).toBeGreaterThan(1.9 * Number(usual));
    expect(Number(await at('flex'))).toBeGreaterThanOrEqual(Number(usual - 20n * MILLION));
    expect(Number(await at('auto'))).toBeLessThan(1.1 * Number(usual));
  });

  it('refuses who cannot pay for one use', async () => {
    const refused = reserveFor('anthropic-messages', search(), { sheet: SEARCH, funds: '0.05' });
    await expect(refused).rejects.toThrow(GatewayError);
  });
});
