import { NO_USAGE, parsePrice, type PriceSheet } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { coversMeter, coversTier } from './choose-rates.js';
import { costOfCall } from './cost-of-call.js';
import { outputTokensWithin, worstCaseOfCall } from './worst-case.js';

const sheet: PriceSheet = {
  input_per_million: '2',
  cached_input_per_million: '0.2',
  output_per_million: '10',
  per_web_search: '0.01',
  per_code_session: '0.03',
  long_context: { above_tokens: 200_000, input_per_million: '4', output_per_million: '15' },
  tiers: {
    priority: {
      input_per_million: '5',
      long_context: { above_tokens: 100_000, input_per_million: '9' },
    },
    flex: { input_per_million: '1' },
  },
  batch_share: '0.5',
};
const price = parsePrice(sheet);
const usage = { ...NO_USAGE, inputTokens: 1_000_000, outputTokens: 1_000_000 };

describe('the rates of a call', () => {
  const linesOf = (change: object) =>
    costOfCall({ ...usage, ...change }, price).lines.map((line) => [line.meter, line.unitPrice]);
  const short = { inputTokens: 200_000 };

  it('are those of long prompts beyond their length, of all tokens', () => {
    expect(linesOf(short)).toEqual([
      ['input_per_million', 2_000_000_000n],
      ['output_per_million', 10_000_000_000n],
    ]);
    expect(linesOf({ inputTokens: 200_001 })).toEqual([
      ['input_per_million', 4_000_000_000n],
      ['output_per_million', 15_000_000_000n],
    ]);
    const cached = { inputTokens: 200_001, cachedInputTokens: 200_001, outputTokens: 0 };
    expect(linesOf(cached)).toEqual([['cached_input_per_million', 200_000_000n]]);
  });

  it('are those of the service tier, and of the model where the tier has none', () => {
    expect(linesOf({ inputTokens: 100_000, tier: 'priority' })).toEqual([
      ['input_per_million', 5_000_000_000n],
      ['output_per_million', 10_000_000_000n],
    ]);
    expect(linesOf({ ...short, tier: 'default' })).toEqual(linesOf(short));
  });

  it('are those that a tier has for prompts of any length, unless it has some for long ones', () => {
    expect(linesOf({ tier: 'flex' })[0]).toEqual(['input_per_million', 1_000_000_000n]);
    expect(linesOf({ tier: 'priority' })[0]).toEqual(['input_per_million', 9_000_000_000n]);
  });

  it('are a share of the model in batches, but for the fees of tools', () => {
    expect(linesOf({ ...short, tier: 'batch', webSearches: 1 })).toEqual([
      ['input_per_million', 1_000_000_000n],
      ['output_per_million', 5_000_000_000n],
      ['per_web_search', 10_000_000n],
    ]);
    expect(linesOf({ tier: 'batch' })[0]).toEqual(['input_per_million', 2_000_000_000n]);
    const odd = parsePrice({ input_per_million: '0.000000003', batch_share: '0.5' });
    expect(costOfCall({ ...usage, tier: 'batch' }, odd).lines[0]?.unitPrice).toBe(2n);
  });

  it('are a share of all of them for an answer out of the cache, and nothing where the price names none', () => {
    const repeated = { ...short, fromCache: true, webSearches: 1 } as const;
    expect(linesOf(repeated)).toEqual([]);
    const shared = parsePrice({ ...sheet, cache_share: '0.1' });
    const { lines } = costOfCall({ ...usage, ...repeated }, shared);
    expect(lines.map(({ meter, unitPrice }) => [meter, unitPrice])).toEqual([
      ['input_per_million', 200_000_000n],
      ['output_per_million', 1_000_000_000n],
      ['per_web_search', 1_000_000n],
    ]);
  });
});

describe('H4: tools that the provider runs', () => {
  it('are a line each', () => {
    const bill = costOfCall({ ...NO_USAGE, webSearches: 3, codeSessions: 1, fileSearches: 2 }, price);
    expect(bill.lines.map((line) => [line.meter, line.quantity, line.amount])).toEqual([
      ['per_web_search', 3, 30_000_000n],
      ['per_code_session', 1, 30_000_000n],
    ]);
  });

  it('count in the worst case', () => {
    const tokens = { promptTokens: 1_000, outputTokens: 10 };
    const uses = { webSearches: 5, codeSessions: 2 };
    const difference = worstCaseOfCall({ ...tokens, ...uses }, price) - worstCaseOfCall(tokens, price);
    expect(difference).toBe(110_000_000n);
  });

  it('are covered by a fee, also by one of zero', () => {
    expect(coversMeter(price, 'per_web_search')).toBe(true);
    expect(coversMeter(price, 'per_file_search')).toBe(false);
    expect(coversMeter(parsePrice({ per_file_search: '0' }), 'per_file_search')).toBe(true);
  });
});

describe('H4: service tiers', () => {
  it('are covered by rates of their own, and batches by their share', () => {
    expect(coversTier(price, 'priority')).toBe(true);
    expect(coversTier(price, undefined)).toBe(true);
    expect(coversTier(price, 'batch')).toBe(true);
    expect(coversTier(price, 'scale')).toBe(false);
    expect(coversTier(parsePrice({ input_per_million: '1' }), 'batch')).toBe(false);
  });

  it('count in the worst case by the most expensive that the call may be billed at', () => {
    const bounds = { promptTokens: 1_000, outputTokens: 10 };
    const standard = worstCaseOfCall(bounds, price);
    expect(worstCaseOfCall({ ...bounds, tiers: ['flex', 'batch'] }, price)).toBe(standard);
    expect(worstCaseOfCall({ ...bounds, tiers: ['flex', 'priority'] }, price)).toBe(standard + 3_000_000n);
  });

  it('leave funds for as much answer as the most expensive of them allows', () => {
    const bounds = { promptTokens: 300_000, webSearches: 1, tiers: ['priority'] };
    const held = 5_000_000_000n;
    const outputTokens = outputTokensWithin(held, bounds, price) ?? 0;
    expect(worstCaseOfCall({ ...bounds, outputTokens }, price)).toBeLessThanOrEqual(held);
    expect(worstCaseOfCall({ ...bounds, outputTokens: outputTokens + 1 }, price)).toBeGreaterThan(held);
  });
});
