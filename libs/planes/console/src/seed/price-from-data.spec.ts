import { listProviders } from '@mg/providers';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { findDataPrice, isPriceDataSource, PRICE_DATA_SOURCE, toPriceSheet } from './price-from-data.js';

describe('toPriceSheet', () => {
  it('turns prices per million into the same decimals', () => {
    expect(
      toPriceSheet({
        input_mtok: 0.25,
        cache_read_mtok: 0.025,
        cache_write_mtok: 0.3125,
        cache_write_1h_mtok: 0.5,
        output_mtok: 2,
      }),
    ).toEqual({
      price: {
        input_per_million: '0.25',
        cached_input_per_million: '0.025',
        cache_write_per_million: '0.3125',
        cache_write_1h_per_million: '0.5',
        output_per_million: '2',
      },
    });
  });

  it('turns hours of audio into minutes', () => {
    expect(toPriceSheet({ audio_hours: 0.36, input_audio_hours: 0.36 })).toEqual({
      price: { per_minute: '0.006' },
    });
  });

  it('H4: takes the fees of tools that the provider runs, for one use', () => {
    const prices = { input_mtok: 1, output_mtok: 2, web_searches_kcount: 10, storage_searches_kcount: 2.5 };
    expect(toPriceSheet(prices)).toEqual({
      price: {
        input_per_million: '1',
        output_per_million: '2',
        per_web_search: '0.01',
        per_file_search: '0.0025',
      },
    });
  });

  it('takes the rates of long prompts', () => {
    const prices = {
      input_mtok: { base: 1, tiers: [{ start: 200_000, price: 2 }] },
      output_mtok: { base: 10, tiers: [{ start: 200_000, price: 15 }] },
      web_searches_kcount: 10,
    };
    expect(toPriceSheet(prices)).toEqual({
      price: {
        input_per_million: '1',
        output_per_million: '10',
        per_web_search: '0.01',
        long_context: { above_tokens: 200_000, input_per_million: '2', output_per_million: '15' },
      },
    });
  });

  it.each<[string, Parameters<typeof toPriceSheet>[0], string]>([
    [
      'several lengths',
      {
        input_mtok: {
          base: 1,
          tiers: [
            { start: 32_000, price: 2 },
            { start: 128_000, price: 3 },
          ],
        },
      },
      'its rates change more than once with the length of the prompt',
    ],
    [
      'a fee of less than a nano-dollar',
      { web_searches_kcount: 0.0000015 },
      'web_searches_kcount is a price that no meter counts',
    ],
    [
      'other meters',
      { input_mtok: 1, output_audio_mtok: 2 },
      'output_audio_mtok is a price that no meter counts',
    ],
    ['more decimals than money has', { input_mtok: 1e-10 }, 'input_mtok is no exact amount: 1e-10'],
    ['negative prices', { input_mtok: -1 }, 'input_mtok is no exact amount: -1'],
    [
      'an hour that is no whole minute',
      { audio_hours: 0.00001 },
      'audio_hours is a price that no meter counts',
    ],
    ['nothing', {}, 'the data has no price for it'],
  ])('refuses %s', (_name, prices, refused) => {
    expect(toPriceSheet(prices)).toEqual({ refused });
  });
});

describe('findDataPrice', () => {
  const day = new Date('2026-11-01T00:00:00Z');

  it('knows the well-known models of every provider that it seeds', () => {
    const unpriced = listProviders().flatMap(({ priceSource, models }) =>
      models
        .filter((card) => priceSource !== undefined && card.price === undefined)
        .filter((card) => 'refused' in findDataPrice(priceSource ?? '', card.slug, day))
        .map((card) => card.slug),
    );
    expect(unpriced).toEqual([]);
  });

  it('has the price of a day', () => {
    expect(findDataPrice('openai', 'gpt-5-mini', day)).toEqual({
      price: {
        input_per_million: '0.25',
        cached_input_per_million: '0.025',
        output_per_million: '2',
        per_web_search: '0.01',
        per_file_search: '0.0025',
      },
      contextWindow: 400_000,
    });
    const before = findDataPrice('openai', 'o3', new Date('2025-01-01T00:00:00Z'));
    expect(before).not.toEqual(findDataPrice('openai', 'o3', day));
  });

  it('refuses what it does not know', () => {
    expect(findDataPrice('openai', 'no-such-model', day)).toEqual({
      refused: 'the data has no price for it',
    });
    expect(findDataPrice('nobody', 'gpt-5-mini', day)).toEqual({ refused: 'the data has no price for it' });
  });

  it('says where a price comes from: the version installed', () => {
    expect(PRICE_DATA_SOURCE).toContain(` ${manifest.dependencies['@pydantic/genai-prices']} (20`);
    expect(isPriceDataSource('@pydantic/genai-prices 0.0.1 (2025-01-01)')).toBe(true);
    expect(isPriceDataSource('configuration file')).toBe(false);
  });
});
