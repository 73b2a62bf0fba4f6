import { omitUndefined } from '@mg/contract';
import { BEHAVIOURS } from '@mg/testkit';
import { stringify } from 'yaml';
import { CLOUDS, listClouds } from './clouds.js';
import { listConditionChannels, listConditionModels } from './conditions.js';
import { ADMIN, KEYS, PROVIDER_KEYS } from './credentials.js';
import { LOOK_ALIKES } from './look-alikes.js';
import { listCachedContentChannels, listCachedContentModels } from './cached-contents.js';
import { listImageChannels, listImageModels } from './images.js';
import { listAudioChannels, listAudioModels } from './audio.js';
import { listTextChannels, listTextModels } from './texts.js';
import { listVideoChannels, listVideoModels } from './videos.js';
import { listModelsOver, OPENAI, WIRES } from './wires.js';

/** What a token costs, in USD per million. The odd figures make every line round. */
export const TOKEN_PRICE = {
  input_per_million: '0.333333333',
  cached_input_per_million: '0.033333333',
  output_per_million: '2.000000001',
} as const;

/** The same, where an upstream also bills what it writes to its cache. */
export const CACHE_WRITE_PRICE = '0.416666667';
export const CACHE_WRITE_1H_PRICE = '0.666666667';

/** Models whose lines their provider carries out in batches of its own. */
export const NATIVELY_BATCHED = 'natively-batched';
export const NATIVELY_EMBEDDED = 'natively-embedded';
export const NATIVELY_MESSAGED = 'natively-messaged';
export const NATIVELY_GENERATED = 'natively-generated';
export const NATIVELY_EMBEDDED_BY_GOOGLE = 'natively-embedded-by-google';

/** A line of a batch costs half of the price. */
const BATCH_PRICE = { ...TOKEN_PRICE, batch_share: '0.5' };
/** Half of `TOKEN_PRICE`, each rate rounded up to the nano-dollar. */
export const HALF_PRICE = {
  input_per_million: '0.166666667',
  cached_input_per_million: '0.016666667',
  output_per_million: '1.000000001',
} as const;

/** What one call of the `flat` model costs, in USD; two wallets and a quota hold exactly ten of it. */
export const FLAT_PRICE = '0.01';

/** Slugs that tests script, beside those of the fake upstream's own behaviours. */
const SCRIPTED_SLUGS = ['batched', 'plain', 'scripted', 'leaky', 'gated', 'priced', 'switched'];

/** Upstreams that never answer, or do not go on: only the times of their channels end a call. */
const HANGING = 'hang-before-headers';
const HANGING_IN_STREAM = 'hang-in-stream';

/** The YAML file of a deployment whose channels lead to the fake upstream. */
export function writeConfiguration(upstreamUrl: string, jobsUrl: string, closedPort: number): string {
  const chatSlugs = [...Object.keys(BEHAVIOURS), ...SCRIPTED_SLUGS, 'failover', 'failover-in-stream'];
  const channel = {
    type: 'openai-compatible',
    base_url: `${upstreamUrl}/v1`,
    api_keys: [...PROVIDER_KEYS],
    timeout: { connect: '10s', first_byte: '30s', idle: '30s', total: '60s' },
  };
  return stringify({
    admin: ADMIN,
    channels: [
      {
        name: 'fake',
        ...channel,
        models: [...Object.keys(BEHAVIOURS), ...SCRIPTED_SLUGS, 'flat', 'unpriced'].filter(
          (slug) => slug !== HANGING && slug !== HANGING_IN_STREAM,
        ),
      },
      {
        name: 'hanging',
        ...channel,
        timeout: { ...channel.timeout, first_byte: '2s', total: '3s' },
        models: [HANGING],
      },
      {
        name: 'hanging-in-stream',
        ...channel,
        timeout: { ...channel.timeout, idle: '2s' },
        models: [HANGING_IN_STREAM],
      },
      {
        name: 'first-choice',
        ...channel,
        models: { failover: 'error-500', 'failover-in-stream': 'error-event-first' },
        priority: 10,
      },
      { name: 'second-choice', ...channel, models: { failover: 'plain', 'failover-in-stream': 'plain' } },
      {
        name: 'unreachable',
        ...channel,
        base_url: `http://127.0.0.1:${closedPort}/v1`,
        models: ['unreachable'],
      },
      { name: 'disabled-by-test', ...channel, models: { 'on-disabled-channel': 'plain' } },
      {
        name: 'native-batches',
        ...channel,
        type: 'openai',
        batches: 'native',
        models: { [NATIVELY_BATCHED]: 'gpt-4o-mini--batched', [NATIVELY_EMBEDDED]: 'text-embedding-3-small' },
      },
      {
        name: 'native-messages',
        ...channel,
        type: 'anthropic',
        batches: 'native',
        models: { [NATIVELY_MESSAGED]: 'claude-haiku-4-5--batched' },
      },
      {
        name: 'native-contents',
        ...channel,
        type: 'gemini',
        base_url: `${upstreamUrl}/v1beta`,
        batches: 'native',
        models: {
          [NATIVELY_GENERATED]: 'gemini-3.5-flash--batched',
          [NATIVELY_EMBEDDED_BY_GOOGLE]: 'gemini-embedding-001',
        },
      },
      ...listTextChannels(upstreamUrl, channel),
      ...listAudioChannels(upstreamUrl, channel),
      ...listImageChannels(upstreamUrl, channel),
      ...listCachedContentChannels(upstreamUrl, channel),
      ...listVideoChannels(jobsUrl, closedPort, channel),
      ...listConditionChannels({ upstreamUrl, jobsUrl, closedPort }, channel),
      ...[OPENAI, ...WIRES, ...LOOK_ALIKES].map((wire) => ({
        ...channel,
        name: `over-${wire.name}`,
        type: wire.type,
        base_url: upstreamUrl + wire.path,
        models: listModelsOver(wire),
      })),
      ...listClouds(upstreamUrl).map(({ name, type, path, model, settings, isKeyless }) => ({
        ...channel,
        name: `over-${name}`,
        type,
        base_url: upstreamUrl + path,
        api_keys: isKeyless ? undefined : channel.api_keys,
        settings,
        models: listModelsOver({ name, type, path, model }),
      })),
    ],
    models: [
      ...[...chatSlugs, 'unreachable', 'on-disabled-channel'].map((slug) => ({
        slug,
        kind: 'chat',
        max_output_tokens: 4_096,
        price: slug === 'batched' ? BATCH_PRICE : TOKEN_PRICE,
      })),
      ...[OPENAI, ...WIRES, ...LOOK_ALIKES, ...CLOUDS]
        .flatMap((wire) => Object.keys(listModelsOver(wire)))
        .map((slug) => ({
          slug,
          kind: 'chat',
          max_output_tokens: 8_192,
          price: {
            ...TOKEN_PRICE,
            cache_write_per_million: CACHE_WRITE_PRICE,
            cache_write_1h_per_million: CACHE_WRITE_1H_PRICE,
            // Agents declare their provider's search of the web, which is refused without a price.
            ...omitUndefined({ per_web_search: slug.endsWith('writes-a-file') ? '0.01' : undefined }),
          },
        })),
      ...listTextModels(),
      ...listAudioModels(),
      ...listImageModels(),
      ...listCachedContentModels(),
      ...listVideoModels(),
      ...listConditionModels(TOKEN_PRICE),
      { slug: 'flat', kind: 'chat', price: { per_request: FLAT_PRICE } },
      { slug: 'unpriced', kind: 'chat' },
      ...[NATIVELY_BATCHED, NATIVELY_MESSAGED, NATIVELY_GENERATED].map((slug) => ({
        slug,
        kind: 'chat',
        max_output_tokens: 4_096,
        price: BATCH_PRICE,
      })),
      ...[NATIVELY_EMBEDDED, NATIVELY_EMBEDDED_BY_GOOGLE].map((slug) => ({
        slug,
        kind: 'embedding',
        price: { input_per_million: '0.02', batch_share: '0.5' },
      })),
      { slug: 'retired', kind: 'chat', state: 'disabled', price: TOKEN_PRICE },
    ],
    wallets: [
      { name: 'main', balance: '1000.00' },
      { name: 'poor', balance: '0.00000001' },
      { name: 'ten-calls', balance: '0.10' },
      { name: 'ledger', balance: '1.00' },
      { name: 'capped', balance: '0.001' },
      { name: 'crash', balance: '1.00' },
      { name: 'batches', balance: '100.00' },
      { name: 'dry-batches', balance: '0.03' },
      { name: 'google-batches', balance: '100.00' },
      { name: 'rules', balance: '100.00' },
      { name: 'videos', balance: '100.00' },
      { name: 'deposits', balance: '100.00' },
    ],
    tokens: [
      { name: 'main', wallet: 'main', key: KEYS.main },
      { name: 'restricted', wallet: 'main', key: KEYS.restricted, allowed_models: ['plain'] },
      { name: 'disabled', wallet: 'main', key: KEYS.disabled, disabled: true },
      { name: 'expired', wallet: 'main', key: KEYS.expired, expires_at: '2020-01-01T00:00:00Z' },
      { name: 'poor', wallet: 'poor', key: KEYS.poor },
      { name: 'ten-calls', wallet: 'ten-calls', key: KEYS.tenCalls },
      { name: 'ten-call-quota', wallet: 'main', key: KEYS.tenCallQuota, spending_quota: '0.10' },
      { name: 'spent-quota', wallet: 'main', key: KEYS.spentQuota, spending_quota: '0' },
      { name: 'ledger', wallet: 'ledger', key: KEYS.ledger },
      { name: 'capped', wallet: 'capped', key: KEYS.cappedByFunds },
      {
        name: 'limited',
        wallet: 'main',
        key: KEYS.limited,
        limits: { rpm: 1_000, tpm: 10_000_000, concurrency: 1 },
      },
      {
        name: 'budgeted',
        wallet: 'main',
        key: KEYS.budgeted,
        budgets: { day: '0.05', timezone: 'Pacific/Auckland' },
      },
      { name: 'crash', wallet: 'crash', key: KEYS.crash },
      { name: 'batches', wallet: 'batches', key: KEYS.batches },
      { name: 'dry-batches', wallet: 'dry-batches', key: KEYS.dryBatches },
      { name: 'google-batches', wallet: 'google-batches', key: KEYS.googleBatches },
      { name: 'rules', wallet: 'rules', key: KEYS.rules },
      { name: 'rules-spent', wallet: 'rules', key: KEYS.rulesSpent, spending_quota: '0' },
      { name: 'videos', wallet: 'videos', key: KEYS.videos },
      { name: 'deposits', wallet: 'deposits', key: KEYS.deposits },
    ],
  });
}
