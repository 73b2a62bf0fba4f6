import { NO_USAGE, omitUndefined, parsePrice, type PriceSheet } from '@mg/contract';
import { readImageGeneration } from '@mg/protocols';
import { afterAll, expect, it } from 'vitest';
import type { BoundHold } from './bound-exchange.js';
import { TokenCounter } from '../../call/token-counter.js';
import { measureExchange } from './measure-exchange.js';

const counter = new TokenCounter();
afterAll(() => counter.close());

const exchange = readImageGeneration(
  Buffer.from('{"model":"m","prompt":"a fox","n":4,"size":"1024x1024","quality":"high"}'),
);

function holdAt(price: PriceSheet, variant?: string): BoundHold {
  const pinned = { versionId: 'v', effectiveFrom: 0, price: parsePrice(price) };
  return { requestId: 'r', granted: 0n, price: pinned, variant };
}

it('bills images that came, by the variant that was held', async () => {
  const hold = holdAt({ per_image: '0.04', variants: { high: { per_image: '0.1' } } }, 'high');
  expect(await measureExchange(exchange, hold, { ...NO_USAGE, images: 3 }, counter)).toEqual({
    usage: { ...NO_USAGE, images: 3, variant: 'high' },
    estimated: false,
  });
});

it('estimates the tokens of the images that came where the price needs them and the upstream reports none', async () => {
  const hold = holdAt({ input_per_million: '5', output_per_million: '40' });
  const { usage, estimated } = await measureExchange(exchange, hold, { ...NO_USAGE, images: 2 }, counter);
  expect(estimated).toBe(true);
  expect(usage.images).toBe(2);
  // Four images of high quality would have been 4 x 4162 tokens.
  expect(usage.outputTokens).toBe(2 * 4_162);
  expect(usage.inputTokens).toBeGreaterThan(0);
});

it('believes tokens that are reported', async () => {
  const hold = holdAt({ input_per_million: '5', output_per_million: '40' });
  const reported = { ...NO_USAGE, images: 4, inputTokens: 9, outputTokens: 100 };
  expect(await measureExchange(exchange, hold, reported, counter)).toEqual({
    usage: reported,
    estimated: false,
  });
});

it('estimates all of it where nothing is reported', async () => {
  const { usage, estimated } = await measureExchange(
    exchange,
    holdAt({ per_image: '0.04' }),
    undefined,
    counter,
  );
  expect([usage.images, estimated]).toEqual([4, true]);
});

it('H4: bills the image that the answer reports where the request left the choice open', async () => {
  const open = readImageGeneration(Buffer.from('{"model":"m","prompt":"a fox","quality":"auto"}'));
  const price = { per_image: '0.04', variants: { low: { per_image: '0.01' }, hd: { per_image: '0.08' } } };
  const billedFor = async (variant: string | undefined, exchangeAsked = open) => {
    const reported = { ...NO_USAGE, images: 1, ...omitUndefined({ variant }) };
    return (await measureExchange(exchangeAsked, holdAt(price, 'hd'), reported, counter)).usage.variant;
  };
  expect(await billedFor('1024x1024/low')).toBe('low');
  expect(await billedFor('1024x1024/medium')).toBeUndefined();
  expect(await billedFor(undefined)).toBe('hd');
  // What the request says itself is what it is billed by.
  expect(await billedFor('1024x1024/low', exchange)).toBe('hd');
});
