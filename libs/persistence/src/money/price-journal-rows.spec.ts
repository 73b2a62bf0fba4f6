import { describe, expect, it } from 'vitest';
import { JournalPricer, listOtherVersions, type WaitingRow } from './price-journal-rows.js';

const row: WaitingRow = {
  request_id: 'r',
  seq: 0,
  phase: 'usage',
  usage: { input_tokens: 10, output_tokens: 3 },
  estimated: false,
  lease_id: null,
  price_version_id: 'v1',
  price: { input_per_million: '1', output_per_million: '2' },
  model: 'm',
  waste: null,
};

describe('pricing journal rows', () => {
  it('charges by the price that the hold is pinned to', () => {
    expect(new JournalPricer().priceRow(row)).toMatchObject({ charge: '16000' });
  });

  it('keeps a version as it was first read, since versions never change', () => {
    const pricer = new JournalPricer();
    pricer.priceRow(row);
    expect(pricer.priceRow({ ...row, price: { input_per_million: '9' } })).toMatchObject({ charge: '16000' });
  });

  it('charges nothing for a cancellation or without a hold', () => {
    expect(new JournalPricer().priceRow({ ...row, phase: 'cancel' })).toMatchObject({ charge: '0' });
    expect(new JournalPricer().priceRow({ ...row, price_version_id: null, price: null })).toEqual({
      request_id: 'r',
      seq: 0,
      phase: 'usage',
      usage: row.usage,
      estimated: false,
      price_version_id: null,
      lease_id: null,
      charge: '0',
    });
  });

  it('never believes a negative, fractional or absurd count', () => {
    const usage = { input_tokens: -5, output_tokens: 0.2, images: Number.NaN };
    expect(new JournalPricer().priceRow({ ...row, usage })).toMatchObject({ charge: '2000' });
  });

  it('gives the reason where a price cannot be read', () => {
    const priced = new JournalPricer().priceRow({ ...row, price: { per_request: 'free' } });
    expect(priced.failure).toContain('"free"');
  });

  it('F11: prices wasted attempts by the same price, and leaves out what is none', () => {
    const waste = [
      { attempt: 0, channel: 'a', reason: 'timed_out', usage: { input_tokens: 5 } },
      { attempt: 'x', channel: 'a', reason: 'failed', usage: {} },
      { attempt: 1, channel: 'a', reason: 'no such reason', usage: {} },
      null,
    ];
    expect(new JournalPricer().priceWaste({ ...row, waste })).toMatchObject([
      { request_id: 'r', attempt: 0, channel: 'a', model: 'm', reason: 'timed_out', amount: '5000' },
    ]);
    expect(listOtherVersions([{ ...row, waste: [{ ...waste[0], price_version_id: "'; drop" }] }])).toEqual(
      [],
    );
    expect(new JournalPricer().priceWaste({ ...row, waste: 'nonsense' })).toEqual([]);
    expect(new JournalPricer().priceWaste({ ...row, waste, price: null })).toEqual([]);
  });
});
