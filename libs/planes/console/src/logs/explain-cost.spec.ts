import { NO_USAGE, parsePrice, parseUsd } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { explainCost } from './explain-cost.js';

const price = parsePrice({ input_per_million: '0.25', output_per_million: '2' });
const usage = { ...NO_USAGE, inputTokens: 1_000, outputTokens: 10 };

describe('explainCost', () => {
  it('shows each meter with its price and amount in USD', () => {
    expect(explainCost(parseUsd('0.00027'), usage, price)).toEqual([
      { meter: 'input_per_million', quantity: 1_000, unit_price: '0.25', amount: '0.00025' },
      { meter: 'output_per_million', quantity: 10, unit_price: '2', amount: '0.00002' },
    ]);
  });

  it('H4: shows the tools that the provider ran, at the rates of its service tier', () => {
    const priced = parsePrice({
      input_per_million: '0.25',
      per_web_search: '0.01',
      tiers: { priority: { input_per_million: '0.5' } },
    });
    const used = { ...NO_USAGE, inputTokens: 1_000, webSearches: 2, tier: 'priority' };
    expect(explainCost(parseUsd('0.0205'), used, priced)).toEqual([
      { meter: 'input_per_million', quantity: 1_000, unit_price: '0.5', amount: '0.0005' },
      { meter: 'per_web_search', quantity: 2, unit_price: '0.01', amount: '0.02' },
    ]);
  });

  it('explains a ledger that charged another sum', () => {
    expect(explainCost(parseUsd('0.0002'), usage, price).at(-1)).toEqual({
      meter: 'adjustment',
      quantity: 1,
      unit_price: '-0.00007',
      amount: '-0.00007',
    });
  });

  it('has nothing to explain about a call that cost nothing', () => {
    expect(explainCost(0n, usage, price)).toEqual([]);
  });
});
