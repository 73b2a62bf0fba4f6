import { describe, expect, it } from 'vitest';
import { listMainRates, type OfferedModel, toAddedModel, toOfferDraft } from './offer-draft.js';

const MODEL: OfferedModel = {
  name: 'gpt-x',
  slug: 'gpt-x',
  kind: 'chat',
  state: 'new',
  price: { input_per_million: '1', cached_input_per_million: '0.1', output_per_million: '2' },
  price_source: 'published (2026-01-01)',
  context_window: 1000,
  max_output_tokens: null,
};

describe('an offered model', () => {
  it('is added with the published price, whole', () => {
    expect(toAddedModel(MODEL, toOfferDraft(MODEL))).toMatchObject({
      name: 'gpt-x',
      slug: 'gpt-x',
      kind: 'chat',
      price: MODEL.price,
      context_window: 1000,
    });
  });

  it('is added with what was written over it, and without what was emptied', () => {
    const draft = {
      ...toOfferDraft(MODEL),
      rates: { input_per_million: ' 3 ', cached_input_per_million: '' },
    };
    expect(toAddedModel(MODEL, draft).price).toEqual({ input_per_million: '3', output_per_million: '2' });
  });

  it('is added without a price where there is none, or where it has its own', () => {
    const bare = { ...MODEL, price: null };
    expect(toAddedModel(bare, toOfferDraft(bare)).price).toBeUndefined();
    const own: OfferedModel = { ...MODEL, state: 'added' };
    expect(toAddedModel(own, toOfferDraft(own)).price).toBeUndefined();
  });

  it('is asked for the rates by which it is sold', () => {
    const image: OfferedModel = { ...MODEL, kind: 'image', price: { output_per_million: '30' } };
    expect(listMainRates(toOfferDraft(MODEL), MODEL.price)).toEqual([
      'input_per_million',
      'output_per_million',
    ]);
    expect(listMainRates(toOfferDraft(image), image.price)).toEqual(['output_per_million']);
    expect(listMainRates(toOfferDraft(image), null)).toEqual(['per_image']);
  });
});
