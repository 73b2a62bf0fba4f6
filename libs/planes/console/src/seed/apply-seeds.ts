import { isDeepStrictEqual } from 'node:util';
import type { ChannelRow, ConsoleStore, ModelRow, PriceVersionRow } from '@mg/persistence/console';
import type { ModelCard, ProviderDescriptor } from '@mg/providers';
import type { ApplyParts } from '../configuration/apply-configuration.js';
import { isSamePrice, setPrice } from '../models/set-price.js';
import { CARD_SOURCE, findSeed, type ModelSeed } from './find-seed.js';
import { isPriceDataSource } from './price-from-data.js';
import { type ChannelSeed, listChannelSeeds } from './seed-id.js';

/** What an operator set up is tried before what appeared by itself. */
const SEEDED_PRIORITY = -100;

export interface SeedFacts {
  readonly sandboxEnabled: boolean;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/**
 * Brings up what appears by itself: the sandbox, and for each provider key in the environment a channel, with the
 * provider's models and prices. Rows that an operator made or touched are left alone.
 */
export async function applySeeds(parts: ApplyParts, facts: SeedFacts): Promise<void> {
  // Two providers may offer models of the same slug: the price of the first holds.
  const applied = new Set<string>();
  for (const seed of listChannelSeeds()) {
    const apiKeys = readCredential(seed, facts);
    const cards = seed.provider.models.filter(({ slug }) => !applied.has(slug));
    await parts.store.transaction(async (store) => {
      if (!(await applyChannel({ ...parts, store }, seed, apiKeys))) return;
      await applyModels({ ...parts, store }, seed.provider, cards);
      for (const { slug } of cards) applied.add(slug);
    });
  }
}

/** The keys of a seeded channel; `undefined` when the environment does not ask for it. */
function readCredential(seed: ChannelSeed, facts: SeedFacts): readonly string[] | undefined {
  if (seed.provider.credential === 'none') return facts.sandboxEnabled ? [] : undefined;
  const apiKey = facts.variables[seed.variable];
  return apiKey === undefined || apiKey === '' ? undefined : [apiKey];
}

/** Answers whether the channel that appeared by itself is there and asked for. */
async function applyChannel(
  { store, keys, logger }: ApplyParts,
  { channelId, provider }: ChannelSeed,
  apiKeys: readonly string[] | undefined,
): Promise<boolean> {
  const wanted = {
    models: Object.fromEntries(provider.models.map((card) => [card.slug, card.slug])),
    enabled: apiKeys !== undefined,
  };
  const existing = await store.channels.find(channelId);
  if (existing) {
    if (isTouched(existing)) return wanted.enabled;
    const { models, enabled } = existing;
    if (!isDeepStrictEqual({ models, enabled }, wanted)) await store.channels.refresh(channelId, wanted);
  } else {
    if (apiKeys === undefined || (await store.channels.findByType(provider.id)).length > 0) return false;
    await store.channels.insert({
      id: channelId,
      name: await findFreeName(store, provider.id),
      type: provider.id,
      baseUrl: null,
      settings: {},
      priority: SEEDED_PRIORITY,
      weight: 1,
      timeouts: {},
      ...wanted,
    });
    logger.info({ channel: provider.id }, 'channel created from the environment');
  }
  if (apiKeys !== undefined && apiKeys.length > 0) await keys.save(store, channelId, { apiKeys });
  return wanted.enabled;
}

/** An operator's change moves `updated_at` away from the moment of creation. */
function isTouched(row: Pick<ChannelRow, 'createdAt' | 'updatedAt'>): boolean {
  return row.updatedAt.getTime() !== row.createdAt.getTime();
}

async function findFreeName(store: ConsoleStore, name: string): Promise<string> {
  for (let suffix = 1; ; suffix += 1) {
    const candidate = suffix === 1 ? name : `${name}-${suffix}`;
    if (!(await store.channels.findByName(candidate))) return candidate;
  }
}

async function applyModels(
  { store, logger }: ApplyParts,
  provider: ProviderDescriptor,
  cards: readonly ModelCard[],
): Promise<void> {
  const slugs = cards.map((card) => card.slug);
  // Read all at once: at most starts everything is as it was.
  const rows = await store.models.findAll(slugs);
  const prices = await store.models.findPricesInForce(slugs);
  for (const card of cards) {
    const seed = findSeed(provider, card);
    await applyLimits(store, card, seed, rows.get(card.slug));
    const refused = await applyPrice(store, card.slug, seed, prices.get(card.slug));
    if (refused !== undefined) {
      logger.warn({ model: card.slug, reason: refused }, 'the model has no price; set one in the Console');
    }
  }
}

async function applyLimits(
  store: ConsoleStore,
  card: ModelCard,
  seed: ModelSeed,
  existing: ModelRow | undefined,
): Promise<void> {
  const limits = {
    maxOutputTokens: card.maxOutputTokens ?? null,
    contextWindow: seed.contextWindow ?? null,
  };
  if (!existing) {
    await store.models.insert({ slug: card.slug, kind: card.kind, state: 'active', ...limits });
    return;
  }
  const isFilled =
    (existing.maxOutputTokens ?? limits.maxOutputTokens) === existing.maxOutputTokens &&
    (existing.contextWindow ?? limits.contextWindow) === existing.contextWindow;
  if (!isFilled && !isTouched(existing)) await store.models.fillLimits(card.slug, limits);
}

/** Answers why a model without a price stays without one. */
async function applyPrice(
  store: ConsoleStore,
  slug: string,
  seed: ModelSeed,
  current: PriceVersionRow | undefined,
): Promise<string | undefined> {
  if (current && !isPriceDataSource(current.source) && !current.source.startsWith(CARD_SOURCE)) {
    return undefined;
  }
  if ('refused' in seed) return current ? undefined : seed.refused;
  if (!current || !isSamePrice(current.price, seed.price)) {
    await setPrice(store, { slug, price: seed.price, source: seed.source });
  }
  return undefined;
}
