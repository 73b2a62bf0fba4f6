import { parsePrice, parseUsd, type PriceSheet, priceSheetSchema } from '@mg/contract';
import { coversMeter, worstCaseOfCall } from '@mg/pricing';
import { findChatProtocol } from '@mg/protocols';
import { findProvider, listProviders } from '@mg/providers';
import { describe, expect, it } from 'vitest';
import { addFees } from './add-fees.js';
import { findSeed } from './find-seed.js';

function seedOf(providerId: string, slug: string) {
  const provider = findProvider(providerId);
  const card = provider?.models.find((model) => model.slug === slug);
  if (!provider || !card) throw new Error(`${providerId} has no ${slug}`);
  const seed = findSeed(provider, card);
  if ('refused' in seed) throw new Error(seed.refused);
  return seed;
}

const priceOf = (providerId: string, slug: string): PriceSheet => seedOf(providerId, slug).price;

describe('addFees', () => {
  const price = {
    input_per_million: '1.000000001',
    output_per_million: '10',
    per_web_search: '0.01',
    long_context: { above_tokens: 200_000, input_per_million: '2' },
  };

  const origin = { page: 'https://example.com', seenOn: '2026-11-22' };

  it('multiplies every rate but the fees of tools, and rounds up', () => {
    const tiers = { flex: '0.5', priority: { input_per_million: '3' }, scale: {} };
    expect(addFees(price, { ...origin, tiers }).tiers).toEqual({
      flex: {
        input_per_million: '0.500000001',
        output_per_million: '5',
        long_context: { above_tokens: 200_000, input_per_million: '1' },
      },
      priority: { input_per_million: '3' },
      scale: {},
    });
  });

  it('adds what tools and batches cost, and changes nothing else', () => {
    const fees = { tools: { per_web_search: '0.025', per_code_session: '0.03' }, batchShare: '0.5' };
    expect(addFees(price, { ...origin, ...fees })).toEqual({ ...price, ...fees.tools, batch_share: '0.5' });
    expect(addFees(price, undefined)).toBe(price);
  });
});

describe('H4: the prices that models begin with', () => {
  it('are price sheets that an operator could have written', () => {
    const wrong = listProviders().flatMap((provider) =>
      provider.models.flatMap((card) => {
        const seed = findSeed(provider, card);
        const result = 'refused' in seed ? undefined : priceSheetSchema.safeParse(seed.price);
        return result?.error ? [`${card.slug}: ${result.error.message}`] : [];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['anthropic', { per_web_search: '0.01', per_code_session: '0.05', batch_share: '0.5' }],
    ['openai', { per_code_session: '0.03', batch_share: '0.5' }],
    ['gemini', { batch_share: '0.5', tiers: { flex: {}, priority: {} } }],
  ])('say for every chat of %s what its tools, tiers and batches cost', (providerId, fees) => {
    const chats = findProvider(providerId)?.models.filter((card) => card.kind === 'chat') ?? [];
    const prices = chats.map((card) => priceOf(providerId, card.slug));
    expect(prices).toMatchObject(chats.map(() => fees));
  });

  it('cover the searches of coding agents', () => {
    expect(priceOf('anthropic', 'claude-opus-5-5').per_web_search).toBe('0.01');
    expect(priceOf('openai', 'gpt-6.1-sol')).toMatchObject({
      per_web_search: '0.01',
      per_file_search: '0.0025',
    });
    expect(priceOf('gemini', 'gemini-3.5-flash').per_web_search).toBe('0.014');
    expect(priceOf('gemini', 'gemini-2.5-flash').per_web_search).toBe('0.035');
  });

  it('name the page of the provider and its day', () => {
    const dated = /; fees: https:\/\/\S+ \(20\d\d-\d\d-\d\d\)$/;
    expect(seedOf('openai', 'gpt-6.1-sol').source).toMatch(dated);
    expect(seedOf('anthropic', 'claude-opus-5-5').source).toMatch(dated);
  });

  it('cover more expensive and cheaper tiers', () => {
    expect(priceOf('openai', 'gpt-5').tiers).toMatchObject({
      priority: { input_per_million: '2.5', cached_input_per_million: '0.25', output_per_million: '20' },
      flex: { input_per_million: '0.625', cached_input_per_million: '0.0625', output_per_million: '5' },
    });
    expect(priceOf('anthropic', 'claude-opus-5-5').tiers?.['fast']).toMatchObject({
      input_per_million: '8',
      output_per_million: '40',
    });
  });

  it('cover long prompts', () => {
    expect(priceOf('gemini', 'gemini-2.5-pro').long_context).toMatchObject({
      above_tokens: 200_000,
      input_per_million: '2.5',
      output_per_million: '15',
    });
    expect(priceOf('anthropic', 'claude-haiku-5-5').long_context?.input_per_million).toBe('0.5');
  });
});

describe('F2: the limits that models begin with', () => {
  it('have a context window for every chat and every realtime model, and none for what takes many texts at once', () => {
    const seeds = listProviders().flatMap((provider) =>
      provider.models.map((card) => ({ card, window: findSeed(provider, card).contextWindow })),
    );
    const isHeldByContext = (kind: string) => kind === 'chat' || kind === 'realtime';
    const wrong = seeds.filter(({ card, window }) => isHeldByContext(card.kind) !== (window !== undefined));
    expect(wrong).toEqual([]);
  });

  it('prefer the exact figure of a card to a round one of the data', () => {
    expect(seedOf('openai', 'gpt-4.1').contextWindow).toBe(1_047_576);
    expect(seedOf('openai', 'gpt-5-mini').contextWindow).toBe(400_000);
  });
});

describe('H5: what agents ask of models with seeded prices', () => {
  it.each([
    [
      'anthropic',
      'claude-sonnet-5-5',
      'anthropic-messages',
      { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
    ],
    ['openai', 'gpt-5-mini', 'openai-responses', { type: 'web_search' }],
    ['gemini', 'gemini-3.5-flash', 'gemini-generate', { googleSearch: {} }],
  ] as const)('has a price: searching the web at %s', (provider, slug, protocol, tool) => {
    const price = parsePrice(priceOf(provider, slug));
    const { tools } = findChatProtocol(protocol).readDemand(Buffer.from('{}'), { tools: [tool] });
    expect(tools).toHaveLength(1);
    expect(tools[0]?.fee).toBe('per_web_search');
    expect(coversMeter(price, 'per_web_search')).toBe(true);
  });

  it('is covered by a dollar: a large image at a model of a middling price', () => {
    const price = parsePrice(priceOf('openai', 'gpt-5-mini'));
    const bounds = { promptTokens: 20_000, outputTokens: 4_000 };
    expect(worstCaseOfCall(bounds, price)).toBeLessThan(parseUsd('1'));
  });
});
