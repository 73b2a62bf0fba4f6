import {
  type ListedModel,
  type ModelListOutcome,
  type PriceSheet,
  readPhrases,
  slugSchema,
} from '@mg/contract';
import type { ChannelRow, ConsoleStore } from '@mg/persistence/console';
import { findProvider, guessKind, type ModelCard, type ProviderDescriptor } from '@mg/providers';
import { type ModelView, toModelView } from '../models/model-view.js';
import { findSeed } from '../seed/find-seed.js';
import type { OfferedModels } from './channel-model-schemas.js';

type OfferedModel = OfferedModels['models'][number];

/** What a well-known model begins with. */
export interface PublishedPrice {
  readonly price: PriceSheet;
  /** Where it is from, with its date. */
  readonly source: string;
}

/** The models that a channel's provider listed, or those that are known of it, with what they would begin with. */
export async function describeOffer(
  { models }: ConsoleStore,
  channel: ChannelRow,
  outcome: ModelListOutcome,
): Promise<OfferedModels> {
  const provider = findProvider(channel.type);
  const listed: readonly ListedModel[] = outcome.ok ? outcome.models : (provider?.models ?? []).map(toListed);
  const slugs = listed.flatMap(({ name }) => toSlug(name) ?? []);
  const [rows, prices] = await Promise.all([models.findAll(slugs), models.findPricesInForce(slugs)]);
  // A provider may name a model twice, and two of its names may make one slug.
  const bySlug = new Map<string, OfferedModel>();
  for (const model of listed) {
    const slug = toSlug(model.name);
    if (slug === undefined || bySlug.has(slug)) continue;
    const row = rows.get(slug);
    const known = row && toModelView(row, prices.get(slug));
    bySlug.set(slug, describe(model, { slug, known, provider, channel }));
  }
  return {
    source: outcome.ok ? 'provider' : 'known',
    status: outcome.status,
    message: outcome.message,
    message_phrases: readPhrases(outcome.message),
    models: [...bySlug.values()].toSorted((left, right) => left.slug.localeCompare(right.slug, 'en')),
  };
}

/** What the provider, or the price data, publishes of a model; `undefined` where nothing is known. */
export function findPublishedPrice(type: string, model: ListedModel): PublishedPrice | undefined {
  const provider = findProvider(type);
  const seed = provider && findSeed(provider, cardOf(provider, model));
  return seed === undefined || 'refused' in seed ? undefined : seed;
}

interface OfferContext {
  readonly slug: string;
  /** The model of that slug, where there is one. */
  readonly known: ModelView | undefined;
  readonly provider: ProviderDescriptor | undefined;
  readonly channel: ChannelRow;
}

function describe(model: ListedModel, { slug, known, provider, channel }: OfferContext): OfferedModel {
  const card = provider && cardOf(provider, model);
  const seed = provider && card && findSeed(provider, card);
  const published = seed === undefined || 'refused' in seed ? undefined : seed;
  return {
    name: model.name,
    slug,
    kind: known?.kind ?? card?.kind ?? guessKind(model.name),
    state: stateOf(slug, known, channel),
    price: known?.price ?? published?.price ?? null,
    price_source: known?.price ? known.price_source : (published?.source ?? null),
    context_window: known?.context_window ?? seed?.contextWindow ?? null,
    max_output_tokens: known?.max_output_tokens ?? card?.maxOutputTokens ?? null,
  };
}

function stateOf(slug: string, known: ModelView | undefined, channel: ChannelRow): OfferedModel['state'] {
  if (known && !known.priced) return 'unpriced';
  if (slug in channel.models) return known ? 'served' : 'new';
  return known ? 'added' : 'new';
}

/** The card of a well-known model; one that says no more than the list for others. */
function cardOf({ models }: ProviderDescriptor, { name, kind }: ListedModel): ModelCard {
  return models.find(({ slug }) => slug === name) ?? { slug: name, kind: kind ?? guessKind(name) };
}

function toListed({ slug, kind }: ModelCard): ListedModel {
  return { name: slug, kind };
}

/** The provider's own name as callers would write it; `undefined` where that is no slug. */
function toSlug(name: string): string | undefined {
  const slug = name.replace(/[^A-Za-z0-9._:/@-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return slugSchema.safeParse(slug).success ? slug : undefined;
}
