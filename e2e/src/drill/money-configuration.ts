import { type NanoUsd, parseUsd } from '@mg/contract';
import type { FakeJobs, FakeUpstream } from '@mg/testkit';
import { stringify } from 'yaml';
import { ADMIN, CANARY, KEYS, PROVIDER_KEYS } from '../deployment/credentials.js';
import { lineOf } from '../expected-cost.js';
import { listVideoChannels, VIDEO_MODELS } from './drill-videos.js';

export const CALLERS = 12;

/** Of the chat models; lines of a bill are seldom whole nano-dollars before they are rounded up. */
const TOKEN_PRICE = { input_per_million: '0.777777777', output_per_million: '3.141592653' } as const;

/** What a call of `flat` costs, and what is held for it. */
export const FLAT_PRICE = '0.000123457';

/** Chat models by what they do at the fake provider; `failover` and `fails` are refused by the channel that is asked first. */
const FIRST_CHANNEL = { failover: 'error-500', fails: 'error-500' } as const;
const SECOND_CHANNEL = {
  plain: 'plain',
  paced: 'paced',
  slow: 'slow',
  failover: 'plain',
  'breaks-off': 'error-event-in-stream',
} as const;

export type ChatModel = keyof typeof FIRST_CHANNEL | keyof typeof SECOND_CHANNEL;

/** Drawn from evenly. */
export const CHAT_MODELS: readonly ChatModel[] = [
  ...Array.from({ length: 10 }, () => 'plain' as const),
  ...Array.from({ length: 3 }, () => 'paced' as const),
  ...Array.from({ length: 3 }, () => 'slow' as const),
  'failover',
  'failover',
  'fails',
  'breaks-off',
];

/** Wallets of the callers, two keys each. The first has little and depends on its top-ups. */
export const WALLETS: readonly { readonly name: string; readonly balance: string }[] = Array.from(
  { length: CALLERS / 2 },
  (_, place) => ({ name: `wallet-${place}`, balance: place === 0 ? '0.02' : '100.00' }),
);

export const LAST_DOLLAR_WALLET = 'last-dollar';
export const LAST_DOLLAR_KEYS = [0, 1].map((place) => `sk-${CANARY}-last-dollar-${place}`);

export function callerKey(caller: number): string {
  return `sk-${CANARY}-caller-${String(caller).padStart(6, '0')}`;
}

export function callerName(caller: number): string {
  return `caller-${caller}`;
}

/** What so many tokens of a chat model cost, in nano-dollars. */
export function costOfTokens(promptTokens: number, completionTokens: number): NanoUsd {
  const { input_per_million: input, output_per_million: output } = TOKEN_PRICE;
  return lineOf(promptTokens, input) + lineOf(completionTokens, output);
}

export const FLAT_COST: NanoUsd = parseUsd(FLAT_PRICE);

export function writeMoneyConfiguration(upstream: FakeUpstream, jobs: FakeJobs): string {
  const channel = {
    type: 'openai-compatible',
    base_url: `${upstream.url}/v1`,
    api_keys: [...PROVIDER_KEYS],
    timeout: { connect: '5s', first_byte: '20s', idle: '20s', total: '60s' },
  };
  // A gated round answers nobody before everybody else was refused: on a busy machine that takes longer than a call may elsewhere.
  const patient = {
    ...channel,
    timeout: { connect: '60s', first_byte: '180s', idle: '180s', total: '240s' },
  };
  const slugs = new Set(Object.keys({ ...FIRST_CHANNEL, ...SECOND_CHANNEL }));
  return stringify({
    admin: ADMIN,
    channels: [
      { ...channel, name: 'first', priority: 1, models: FIRST_CHANNEL },
      { ...channel, name: 'second', priority: 0, models: SECOND_CHANNEL },
      { ...patient, name: 'flat', models: { flat: 'flat' } },
      ...listVideoChannels(jobs),
    ],
    models: [
      ...[...slugs].map((slug) => ({ slug, kind: 'chat', max_output_tokens: 4_096, price: TOKEN_PRICE })),
      { slug: 'flat', kind: 'chat', price: { per_request: FLAT_PRICE } },
      ...VIDEO_MODELS,
    ],
    wallets: [
      ...WALLETS,
      { name: 'main', balance: '1000.00' },
      { name: LAST_DOLLAR_WALLET, balance: '0.00' },
    ],
    tokens: [
      { name: 'main', wallet: 'main', key: KEYS.main },
      ...Array.from({ length: CALLERS }, (_, caller) => ({
        name: callerName(caller),
        wallet: WALLETS[Math.floor(caller / 2)]?.name,
        key: callerKey(caller),
      })),
      ...LAST_DOLLAR_KEYS.map((key, place) => ({ name: `last-${place}`, wallet: LAST_DOLLAR_WALLET, key })),
    ],
  });
}
