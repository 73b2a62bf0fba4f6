import { describe, expect, it } from 'vitest';
import { listParts, listRates, priceSchema, toPriceTexts } from './price-schema.js';

const PRICE = {
  input_per_million: '0.25',
  per_web_search: '0.01',
  batch_share: '0.5',
  cache_share: '0.1',
  long_context: { above_tokens: 200_000, input_per_million: '0.5' },
  tiers: { priority: { input_per_million: '0.5' } },
};

describe('a price in a form', () => {
  const texts = toPriceTexts(PRICE);
  const schema = priceSchema('chat', PRICE);

  it('comes out as it went in', () => {
    expect(schema.parse(texts)).toEqual(PRICE);
    expect(priceSchema('chat', null).parse(toPriceTexts(null))).toEqual({});
  });

  it('loses what is emptied', () => {
    const { per_web_search: _, tiers: __, ...rest } = PRICE;
    expect(schema.parse({ ...texts, per_web_search: ' ', tiers: '{}' })).toEqual(rest);
  });

  it('is told which rate and which part is wrong', () => {
    const wrong = { ...texts, input_per_million: '1,5', cache_share: '2', tiers: '[1]' };
    expect(schema.safeParse(wrong).error?.issues).toMatchObject([
      { path: ['input_per_million'], message: 'no_price' },
      { path: ['cache_share'], message: 'no_share' },
      { path: ['tiers'], message: 'not_an_object' },
    ]);
  });

  it('has nothing of what the form of another kind asks for', () => {
    const written = { ...toPriceTexts(null), input_per_million: 'wrong', per_second: '0.05' };
    expect(priceSchema('video', null).parse(written)).toEqual({ per_second: '0.05' });
  });

  it('shows the rates and parts of the kind, and those that have a price', () => {
    expect(listRates('video', PRICE)).toEqual([
      'per_second',
      'input_per_million',
      'per_web_search',
      'batch_share',
      'cache_share',
    ]);
    expect(listRates('rerank', null)).toEqual(['per_request', 'cache_share']);
    expect(listRates('transcription', null)).not.toContain('cache_share');
    expect(listParts('video', PRICE)).toEqual(['long_context', 'tiers', 'variants']);
    expect(listParts('embedding', null)).toEqual([]);
  });
});
