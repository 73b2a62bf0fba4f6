import {
  type LongContextRates,
  NO_USAGE,
  type NanoUsd,
  omitUndefined,
  type Price,
  type Rates,
  type Usage,
} from '@mg/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOfCall } from './cost-of-call.js';
import { outputTokensWithin, worstCaseOfCall, worstCaseOfUsage } from './worst-case.js';

const TIERS = ['priority', 'flex', 'batch'];
const VARIANTS = ['1080p', 'high'];

const amount = fc.option(fc.bigInt(0n, 10n ** 13n), { nil: undefined });
const count = fc.nat(1_000_000);
const few = fc.nat(50);

const unitPrices = fc.record({
  input_per_million: amount,
  cached_input_per_million: amount,
  cache_write_per_million: amount,
  cache_write_1h_per_million: amount,
  image_input_per_million: amount,
  audio_input_per_million: amount,
  output_per_million: amount,
  image_output_per_million: amount,
  audio_output_per_million: amount,
  per_million_characters: amount,
  per_image: amount,
  per_second: amount,
  per_minute: amount,
  per_request: amount,
  per_web_search: amount,
  per_file_search: amount,
  per_code_session: amount,
});

/** As they are parsed: what a sheet leaves out is not there. */
function compact<Whole extends object>(whole: Whole): Whole {
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined)) as Whole;
}

const own = unitPrices.map(compact);
const rates: fc.Arbitrary<Rates<NanoUsd>> = fc
  .tuple(own, fc.option(fc.tuple(count, own), { nil: undefined }))
  .map(([base, long]) => {
    if (!long) return base;
    const longContext: LongContextRates<NanoUsd> = { ...long[1], above_tokens: long[0] };
    return { ...base, long_context: longContext };
  });

const prices: fc.Arbitrary<Price> = fc
  .record({
    base: rates,
    variants: fc.dictionary(fc.constantFrom(...VARIANTS), own),
    tiers: fc.dictionary(fc.constantFrom(...TIERS), rates),
    batchShare: fc.option(fc.bigInt(0n, 10n ** 9n), { nil: undefined }),
  })
  .map(({ base, variants, tiers, batchShare }) => ({
    ...base,
    variants: new Map(Object.entries(variants)),
    tiers: new Map(Object.entries(tiers)),
    ...omitUndefined({ batchShare }),
  }));

const BOUNDED = {
  inputTokens: count,
  outputTokens: count,
  images: few,
  seconds: count,
  characters: count,
  webSearches: few,
  fileSearches: few,
  codeSessions: few,
};

/** A bound, and usage that stays within it: what is told apart of the tokens may even claim more than there are. */
const bounded = fc
  .record({
    bound: fc.record(BOUNDED),
    used: fc.record(BOUNDED),
    reported: fc.record({
      cachedInputTokens: count,
      cacheWriteTokens: count,
      cacheWrite1hTokens: count,
      imageInputTokens: count,
      audioInputTokens: count,
      imageOutputTokens: count,
      audioOutputTokens: count,
    }),
    variant: fc.option(fc.constantFrom(...VARIANTS), { nil: undefined }),
    tiers: fc.subarray(TIERS),
    choice: fc.nat(),
  })
  .map(({ bound, used, reported, variant, tiers, choice }) => {
    const shared = { ...NO_USAGE, ...omitUndefined({ variant }) };
    const tier = [undefined, ...tiers][choice % (tiers.length + 1)];
    const names = Object.keys(BOUNDED) as (keyof typeof BOUNDED)[];
    const within = Object.fromEntries(names.map((name) => [name, Math.min(used[name], bound[name])]));
    const usage: Usage = { ...shared, ...reported, ...within, ...omitUndefined({ tier }) };
    return { bound: { ...shared, ...bound }, usage, tiers };
  });

describe('H4: what a call costs', () => {
  it('never exceeds the worst case of its bound, whatever it is counted in, billed at and used for', () => {
    fc.assert(
      fc.property(bounded, prices, ({ bound, usage, tiers }, price) => {
        expect(costOfCall(usage, price).total).toBeLessThanOrEqual(worstCaseOfUsage(bound, price, tiers));
      }),
      { numRuns: 300 },
    );
  });

  it('never exceeds the worst case of a call that is charged by tokens and tools', () => {
    fc.assert(
      fc.property(bounded, prices, ({ bound, usage, tiers }, price) => {
        const { variant: _, ...charged } = { ...usage, images: 0, seconds: 0, characters: 0 };
        const bounds = { ...bound, promptTokens: bound.inputTokens, tiers };
        expect(costOfCall(charged, price).total).toBeLessThanOrEqual(worstCaseOfCall(bounds, price));
      }),
      { numRuns: 300 },
    );
  });

  it('counts the most expensive length of the prompt where a tier begins its long rates later than the model', () => {
    const price: Price = {
      per_file_search: 0n,
      long_context: { per_file_search: 1n, above_tokens: 0 },
      tiers: new Map([['batch', { per_request: 1n, long_context: { per_request: 0n, above_tokens: 1 } }]]),
      variants: new Map(),
    };
    const usage: Usage = { ...NO_USAGE, inputTokens: 1, fileSearches: 1, tier: 'batch' };
    expect(costOfCall(usage, price).total).toBe(2n);
    const bounds = { promptTokens: 2, outputTokens: 0, fileSearches: 1, tiers: ['batch'] };
    expect(worstCaseOfCall(bounds, price)).toBe(2n);
  });

  it('leaves no room for an answer where rates without a price of output exceed what was held', () => {
    const price: Price = {
      per_file_search: 3n,
      long_context: { per_file_search: 0n, audio_output_per_million: 1n, above_tokens: 0 },
      tiers: new Map(),
      variants: new Map(),
    };
    expect(outputTokensWithin(2n, { promptTokens: 1, fileSearches: 1 }, price)).toBe(0);
  });

  it('never exceeds what was held when the answer is cut to what that pays for', () => {
    const funds = fc.bigInt(0n, 10n ** 16n);
    fc.assert(
      fc.property(bounded, prices, funds, ({ bound, tiers }, price, held) => {
        const bounds = { ...bound, promptTokens: bound.inputTokens, tiers };
        const outputTokens = outputTokensWithin(held, bounds, price);
        if (outputTokens === undefined || outputTokens === 0) return;
        expect(worstCaseOfCall({ ...bounds, outputTokens }, price)).toBeLessThanOrEqual(held);
      }),
      { numRuns: 300 },
    );
  });
});
