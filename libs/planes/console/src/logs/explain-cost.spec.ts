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
