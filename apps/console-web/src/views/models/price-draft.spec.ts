import { describe, expect, it } from 'vitest';
import { listParts, listRates, toPriceDraft, toPriceSheet } from './price-draft.js';

const price = {
  input_per_million: '0.25',
  per_web_search: '0.01',
  batch_share: '0.5',
  cache_share: '0.1',
  long_context: { above_tokens: 200_000, input_per_million: '0.5' },
  tiers: { priority: { input_per_million: '0.5' } },
};

describe('a price in a form', () => {
  it('comes out as it went in', () => {
    expect(toPriceSheet(toPriceDraft(price), String)).toEqual(price);
    expect(toPriceSheet(toPriceDraft(null), String)).toEqual({});
  });

  it('loses what is emptied', () => {
    const { rates, parts } = toPriceDraft(price);
    const emptied = { rates: { ...rates, per_web_search: ' ' }, parts: { ...parts, tiers: '' } };
    const { per_web_search: _, tiers: __, ...rest } = price;
    expect(toPriceSheet(emptied, String)).toEqual(rest);
  });

  it('says which part is no JSON object', () => {
    const draft = { rates: {}, parts: { tiers: '[1]' } };
    expect(() => toPriceSheet(draft, (part) => `${part} is wrong`)).toThrow('tiers is wrong');
  });

  it('shows the rates and parts of the kind, and those that have a price', () => {
    expect(listRates('video', price)).toEqual([
      'per_second',
      'input_per_million',
      'per_web_search',
      'batch_share',
      'cache_share',
    ]);
    expect(listRates('rerank', null)).toEqual(['per_request', 'cache_share']);
    expect(listRates('transcription', null)).not.toContain('cache_share');
    expect(listParts('video', price)).toEqual(['long_context', 'tiers', 'variants']);
    expect(listParts('embedding', null)).toEqual([]);
  });
});
