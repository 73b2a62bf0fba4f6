import { omitUndefined } from './omit-undefined.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configurationFileSchema } from './configuration-file.js';
import { parsePrice, PRICE_KEYS, type PriceSheet, priceSheetSchema, writePrice } from './price.js';
import { explainIssue } from './sentences.js';
import { mergeUsage, NO_USAGE, usageFromRow, usageToRow } from './usage.js';

const MODEL = {
  slug: 'gpt-5-mini',
  kind: 'chat',
  context_window: 400_000,
  max_output_tokens: 128_000,
  price: {
    input_per_million: '0.25',
    per_web_search: '0.01',
    per_code_session: '0.03',
    long_context: { above_tokens: 200_000, input_per_million: '0.5' },
    tiers: { priority: { input_per_million: '0.5' } },
    batch_share: '0.5',
  },
};

function findIssue(change: object): { param: string; message: string } {
  const price = { ...MODEL.price, ...change };
  const result = configurationFileSchema.safeParse({ models: [{ ...MODEL, price }] });
  if (!result.error) throw new Error('nothing is wrong');
  return explainIssue(result.error);
}

describe("a model's price in the configuration file", () => {
  it('says what tools, tiers, long prompts and batches cost', () => {
    const file = configurationFileSchema.parse({ models: [MODEL] });
    expect(file.models).toEqual([MODEL]);
    expect(parsePrice(MODEL.price)).toEqual({
      input_per_million: 250_000_000n,
      per_web_search: 10_000_000n,
      per_code_session: 30_000_000n,
      long_context: { above_tokens: 200_000, input_per_million: 500_000_000n },
      tiers: new Map([['priority', { input_per_million: 500_000_000n }]]),
      batchShare: 500_000_000n,
    });
  });

  it('has a length of prompts that a file without numbers can say', () => {
    const long = { above_tokens: '200000', input_per_million: '1' };
    expect(priceSheetSchema.parse({ long_context: long }).long_context?.above_tokens).toBe(200_000);
  });

  it.each([
    [{ per_web_search: 0.01 }, 'models[0].price.per_web_search'],
    [{ per_websearch: '0.01' }, 'models[0].price.per_websearch'],
    [{ tiers: { priority: { per_search: '1' } } }, 'models[0].price.tiers.priority.per_search'],
    [{ tiers: { priority: '2' } }, 'models[0].price.tiers.priority'],
    [{ tiers: { '': {} } }, 'models[0].price.tiers.'],
    [{ batch_share: '1.5' }, 'models[0].price.batch_share'],
    [{ batch_share: '-0.5' }, 'models[0].price.batch_share'],
    [{ cache_share: '2' }, 'models[0].price.cache_share'],
    [{ batch_share: '50%' }, 'models[0].price.batch_share'],
    [{ long_context: { input_per_million: '1' } }, 'models[0].price.long_context.above_tokens'],
    [{ long_context: { above_tokens: 0 } }, 'models[0].price.long_context.above_tokens'],
    [{ long_context: { above_tokens: '1e5' } }, 'models[0].price.long_context.above_tokens'],
  ])('names the field that is wrong in %j', (change, param) => {
    const issue = findIssue(change);
    expect(issue.param).toBe(param);
    expect(issue.message).toMatch(`${param}: `);
  });

  it.each([0, -1, 1.5, 2 ** 31, '400000'])('refuses a context window of %j', (context_window) => {
    const result = configurationFileSchema.safeParse({ models: [{ ...MODEL, context_window }] });
    expect(result.error && explainIssue(result.error).param).toBe('models[0].context_window');
  });
});

describe('a price sheet', () => {
  it('is written as it was read', () => {
    const amount = fc.bigInt(1n, 10n ** 6n).map((dollars) => `${dollars - 1n}.000000001`);
    const units = fc.dictionary(fc.constantFrom(...PRICE_KEYS), amount);
    const rates = fc
      .tuple(units, fc.option(fc.tuple(fc.integer({ min: 1, max: 10 ** 6 }), units), { nil: undefined }))
      .map(([own, long]) => ({
        ...own,
        ...omitUndefined({ long_context: long ? { above_tokens: long[0], ...long[1] } : undefined }),
      }));
    const named = <Value>(values: fc.Arbitrary<Value>) =>
      fc.dictionary(fc.constantFrom('a', 'b', '__proto__x'), values, { minKeys: 1, noNullPrototype: true });
    const sheets: fc.Arbitrary<PriceSheet> = fc
      .tuple(rates, named(units), named(rates))
      .map(([base, variants, tiers]) => ({
        ...base,
        variants,
        tiers,
        batch_share: '0.5',
        cache_share: '0.1',
      }));
    fc.assert(
      fc.property(sheets, (sheet) => {
        expect(writePrice(parsePrice(priceSheetSchema.parse(sheet)))).toEqual(sheet);
      }),
    );
  });
});

describe('usage of tools and tiers', () => {
  const usage = { ...NO_USAGE, webSearches: 2, codeSessions: 1, tier: 'priority' };

  it('stands in rows only where there is some', () => {
    expect(usageToRow(usage)).toMatchObject({ web_searches: 2, code_sessions: 1, tier: 'priority' });
    expect(usageFromRow(usageToRow(usage))).toEqual(usage);
    expect(usageFromRow(usageToRow({ ...usage, fromCache: true })).fromCache).toBe(true);
    expect(Object.keys(usageToRow(NO_USAGE))).not.toContain('web_searches');
  });

  it('is the larger of two reports, with the last word on the tier', () => {
    const later = { ...NO_USAGE, webSearches: 1, fileSearches: 3 };
    expect(mergeUsage(usage, later)).toEqual({ ...usage, fileSearches: 3 });
    expect(mergeUsage(usage, { ...later, tier: 'default' }).tier).toBe('default');
  });
});
