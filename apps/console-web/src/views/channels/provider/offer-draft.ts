import type { OfferedModels, Price } from '../../../api/console-api.js';
import type { BodyOf } from '../../../api/routes.js';

export type OfferedModel = OfferedModels['models'][number];

type AddedModel = BodyOf<'/api/v1/channels/{id}/models', 'post'>['models'][number];

/** What somebody ticked and wrote beside an offered model. */
export interface OfferDraft {
  readonly isTicked: boolean;
  readonly kind: OfferedModel['kind'];
  /** Rates as they are written; those of the published price until somebody changes them. */
  readonly rates: Readonly<Record<string, string>>;
}

/** The one or two rates by which models of a kind are mostly sold. */
const MAIN_RATES: Readonly<Record<OfferedModel['kind'], readonly string[]>> = {
  chat: ['input_per_million', 'output_per_million'],
  embedding: ['input_per_million'],
  image: ['per_image'],
  transcription: ['per_minute'],
  speech: ['per_million_characters'],
  moderation: ['per_request'],
  rerank: ['per_request'],
  realtime: [
    'input_per_million',
    'output_per_million',
    'audio_input_per_million',
    'audio_output_per_million',
  ],
  video: ['per_second'],
};

export function toOfferDraft(model: OfferedModel): OfferDraft {
  return { isTicked: false, kind: model.kind, rates: {} };
}

/** Rates to ask for: those of the kind, unless the model is sold by others. */
export function listMainRates({ kind, rates }: OfferDraft, price: Price | null): readonly string[] {
  const main = MAIN_RATES[kind];
  const given = Object.entries(price ?? {}).flatMap(([name, rate]) =>
    typeof rate === 'string' ? [name] : [],
  );
  const isSoldSo = given.length === 0 || given.some((name) => main.includes(name));
  return isSoldSo ? main : [...new Set([...given.slice(0, 2), ...Object.keys(rates)])];
}

/** The price that a model gets: what is published with what was written over it; `undefined` for none. */
export function toOfferedPrice(model: OfferedModel, { rates }: OfferDraft): AddedModel['price'] {
  const written = Object.entries(rates).map(([name, rate]) => [name, rate.trim()] as const);
  const empty = written.filter(([, rate]) => rate === '').map(([name]) => name);
  const kept = Object.entries(model.price ?? {}).filter(([name]) => !empty.includes(name));
  const price = { ...Object.fromEntries(kept), ...Object.fromEntries(written.filter(([, rate]) => rate)) };
  return Object.keys(price).length === 0 ? undefined : (price as AddedModel['price']);
}

/** Whether a model has its price already, which stays. */
export function isPriced({ state }: OfferedModel): boolean {
  return state === 'added' || state === 'served';
}

export function toAddedModel(model: OfferedModel, draft: OfferDraft): AddedModel {
  const { name, slug, context_window, max_output_tokens } = model;
  const price = isPriced(model) ? undefined : toOfferedPrice(model, draft);
  return { name, slug, kind: draft.kind, price, context_window, max_output_tokens };
}
