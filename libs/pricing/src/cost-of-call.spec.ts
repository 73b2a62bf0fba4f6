import { chooseVariant, NO_USAGE, parsePrice, type PriceSheet } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { costOfCall } from './cost-of-call.js';
import { isPriced, outputTokensWithin, worstCaseOfCall } from './worst-case.js';

const price = parsePrice({
  input_per_million: '0.25',
  cached_input_per_million: '0.025',
  cache_write_per_million: '0.3125',
  cache_write_1h_per_million: '0.5',
  output_per_million: '2.00',
});

describe('costOfCall', () => {
  it('charges each kind of token at its own rate, to the nano-dollar', () => {
    const cost = costOfCall(
      { ...NO_USAGE, inputTokens: 1_000, cachedInputTokens: 400, cacheWriteTokens: 100, outputTokens: 7 },
      price,
    );
    expect(cost.lines.map((line) => [line.meter, line.quantity, line.amount])).toEqual([
      ['input_per_million', 500, 125_000n],
      ['cached_input_per_million', 400, 10_000n],
      ['cache_write_per_million', 100, 31_250n],
      ['output_per_million', 7, 14_000n],
    ]);
    expect(cost.total).toBe(180_250n);
  });

  it('charges what is written for an hour at its own rate, else like any other writing, else like input', () => {
    const usage = { ...NO_USAGE, inputTokens: 100, cacheWriteTokens: 60, cacheWrite1hTokens: 20 };
    const linesAt = (sheet: PriceSheet) =>
      costOfCall(usage, parsePrice(sheet)).lines.map((line) => [line.meter, line.quantity, line.amount]);
    const input = { input_per_million: '1' };
    const write = { ...input, cache_write_per_million: '1.25' };
    expect(linesAt({ ...write, cache_write_1h_per_million: '2' })).toEqual([
      ['input_per_million', 40, 40_000n],
      ['cache_write_per_million', 40, 50_000n],
      ['cache_write_1h_per_million', 20, 40_000n],
    ]);
    expect(linesAt(write).at(-1)).toEqual(['cache_write_1h_per_million', 20, 25_000n]);
    expect(linesAt(input).at(-1)).toEqual(['cache_write_1h_per_million', 20, 20_000n]);
  });

  it('rounds each line up once', () => {
    const cost = costOfCall(
      { ...NO_USAGE, inputTokens: 1 },
      parsePrice({ input_per_million: '0.000000001' }),
    );
    expect(cost.total).toBe(1n);
  });

  it('bills transcription by seconds at the rate of a minute', () => {
    const cost = costOfCall({ ...NO_USAGE, seconds: 61 }, parsePrice({ per_minute: '0.006' }));
    expect(cost.total).toBe(6_100_000n);
  });

  it('charges the tokens of images and audio at rates of their own, where there are any', () => {
    const usage = {
      ...NO_USAGE,
      inputTokens: 100,
      cachedInputTokens: 10,
      imageInputTokens: 60,
      outputTokens: 50,
      imageOutputTokens: 40,
    };
    const media = parsePrice({
      input_per_million: '5',
      image_input_per_million: '10',
      output_per_million: '12',
      image_output_per_million: '40',
    });
    expect(costOfCall(usage, media).lines.map((line) => [line.meter, line.quantity])).toEqual([
      ['input_per_million', 30],
      ['image_input_per_million', 60],
      ['cached_input_per_million', 10],
      ['output_per_million', 10],
      ['image_output_per_million', 40],
    ]);
    expect(costOfCall(usage, price).lines.map((line) => [line.meter, line.quantity])).toEqual([
      ['input_per_million', 90],
      ['cached_input_per_million', 10],
      ['output_per_million', 50],
    ]);
  });

  it('takes the rates of a variant, and those of the model where the variant has none', () => {
    const video = parsePrice({
      per_second: '0.1',
      per_request: '1',
      variants: { '1080p': { per_second: '0.2' } },
    });
    expect(chooseVariant(video, ['4k', '1080p'])).toBe('1080p');
    expect(chooseVariant(video, ['720p'])).toBeUndefined();
    const usage = { ...NO_USAGE, seconds: 5 };
    expect(costOfCall(usage, video).total).toBe(1_500_000_000n);
    expect(costOfCall({ ...usage, variant: '1080p' }, video).total).toBe(2_000_000_000n);
  });

  it('never goes negative when an upstream claims more cached than prompt tokens', () => {
    const cost = costOfCall(
      { ...NO_USAGE, inputTokens: 10, cachedInputTokens: 50, cacheWriteTokens: 50 },
      price,
    );
    expect(cost.lines.map((line) => [line.meter, line.quantity])).toEqual([['cached_input_per_million', 10]]);
  });

  it('caps the output so that its cost fits the amount held', () => {
    const held = 3_000_000n;
    const outputTokens = outputTokensWithin(held, { promptTokens: 1_000 }, price) ?? 0;
    expect(outputTokens).toBeGreaterThan(0);
    expect(worstCaseOfCall({ promptTokens: 1_000, outputTokens }, price)).toBeLessThanOrEqual(held);
    expect(worstCaseOfCall({ promptTokens: 1_000, outputTokens: outputTokens + 1 }, price)).toBeGreaterThan(
      held,
    );
  });
});

describe('isPriced', () => {
  it('wants both directions of a chat, or a flat price above zero', () => {
    expect(isPriced('chat', price)).toBe(true);
    expect(isPriced('chat', parsePrice({ input_per_million: '1' }))).toBe(false);
    expect(isPriced('chat', parsePrice({ per_request: '0.01' }))).toBe(true);
    expect(isPriced('chat', parsePrice({ per_request: '0' }))).toBe(false);
    expect(isPriced('chat', {})).toBe(false);
  });

  it('wants a price of what is measured: nobody counts the seconds of speech that is made', () => {
    expect(isPriced('transcription', parsePrice({ per_minute: '0.006' }))).toBe(true);
    expect(isPriced('speech', parsePrice({ per_minute: '0.015' }))).toBe(false);
    expect(isPriced('speech', parsePrice({ per_million_characters: '15' }))).toBe(true);
  });
});
