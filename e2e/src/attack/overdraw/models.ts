import { randomUUID } from 'node:crypto';
import type { ConsoleClient } from '../../clients/console-client.js';
import { MOST_REALTIME_TOKENS } from '@mg/testkit';
import { PROVIDER_KEYS } from '../../deployment/credentials.js';
import {
  CHARACTER_PRICE,
  CHAT_PRICE,
  CONTEXT,
  EMBEDDING_PRICE,
  IMAGE_TOKEN_PRICE,
  LONGEST_ANSWER,
  MINUTE_PRICE,
  IMAGE_PRICE,
  PLAIN_CHAT_PRICE,
  REALTIME_PRICE,
  REQUEST_PRICE,
  SECOND_PRICE,
} from './prices.js';
import type { ModelName } from './overdraw-case.js';

interface ModelFacts {
  /** The channel's type. */
  readonly type: string;
  /** Path of the channel's address at the provider. */
  readonly path: string;
  /** The provider's name for the model. */
  readonly upstream: string;
  readonly kind: string;
  readonly price: object;
  /** Settings of the channel. */
  readonly channel?: object;
}

const MODELS: Readonly<Record<Exclude<ModelName, 'talk'>, ModelFacts>> = {
  openai: { type: 'openai', path: '/v1', upstream: 'gpt-5.1', kind: 'chat', price: CHAT_PRICE },
  anthropic: {
    type: 'anthropic',
    path: '/v1',
    upstream: 'claude-sonnet-4-5',
    kind: 'chat',
    price: CHAT_PRICE,
  },
  gemini: { type: 'gemini', path: '/v1beta', upstream: 'gemini-3.5-flash', kind: 'chat', price: CHAT_PRICE },
  compatible: { type: 'openai-compatible', path: '/v1', upstream: 'm', kind: 'chat', price: CHAT_PRICE },
  plain: { type: 'openai', path: '/v1', upstream: 'gpt-5.1', kind: 'chat', price: PLAIN_CHAT_PRICE },
  qwen: { type: 'qwen', path: '/v1', upstream: 'qwen3.5-plus', kind: 'chat', price: CHAT_PRICE },
  embed: { type: 'openai', path: '/v1', upstream: 'e', kind: 'embedding', price: EMBEDDING_PRICE },
  'embed-gemini': {
    type: 'gemini',
    path: '/v1beta',
    upstream: 'e',
    kind: 'embedding',
    price: EMBEDDING_PRICE,
  },
  paint: { type: 'openai', path: '/v1', upstream: 'gpt-image-1', kind: 'image', price: IMAGE_TOKEN_PRICE },
  draw: { type: 'openai-compatible', path: '/v1', upstream: 'd', kind: 'image', price: IMAGE_PRICE },
  vary: { type: 'openai', path: '/v1', upstream: 'dall-e-2', kind: 'image', price: IMAGE_PRICE },
  hear: { type: 'openai', path: '/v1', upstream: 'whisper-1', kind: 'transcription', price: MINUTE_PRICE },
  say: { type: 'openai', path: '/v1', upstream: 'tts-1', kind: 'speech', price: CHARACTER_PRICE },
  moderate: { type: 'openai', path: '/v1', upstream: 'o', kind: 'moderation', price: REQUEST_PRICE },
  rank: { type: 'openai-compatible', path: '/v1', upstream: 'r', kind: 'rerank', price: REQUEST_PRICE },
  film: { type: 'videonative', path: '', upstream: 'seedance', kind: 'video', price: SECOND_PRICE },
  'film-generic': { type: 'openai', path: '/v1', upstream: 'sora-2', kind: 'video', price: SECOND_PRICE },
  native: {
    type: 'openai',
    path: '/v1',
    upstream: 'gpt-5.1',
    kind: 'chat',
    price: CHAT_PRICE,
    channel: { batches: 'native' },
  },
  'native-claude': {
    type: 'anthropic',
    path: '/v1',
    upstream: 'claude-sonnet-4-5',
    kind: 'chat',
    price: CHAT_PRICE,
    channel: { batches: 'native' },
  },
};

/** The provider of sessions is that of all tests; it knows those of this attack by their model. */
export const TALK_UPSTREAM = 'gpt-realtime--costs-most';

/** The models of one attack, each with a channel of its own. */
export interface CreatedModels {
  /** What a gateway lists that knows every model and its channel. */
  readonly last: string;
  /** The public name of a model. */
  slugOf(name: ModelName): string;
  /** Deletes the channels. */
  remove(): Promise<void>;
}

/**
 * Creates every model.
 *
 * @param providerUrl whom all but sessions are asked of.
 */
export async function createModels(
  console: ConsoleClient,
  providerUrl: string,
  sessionsUrl: string,
): Promise<CreatedModels> {
  const attack = randomUUID();
  const slugOf = (name: ModelName) => `overdraw-${name}-${attack}`;
  const asked = Object.entries(MODELS).map(([name, facts]) => {
    const { type, path, upstream, kind, price, channel } = facts;
    const slug = slugOf(name as keyof typeof MODELS);
    const limits = kind === 'chat' ? { context_window: CONTEXT, max_output_tokens: LONGEST_ANSWER } : {};
    const served = { type, base_url: providerUrl + path, models: { [slug]: upstream }, ...channel };
    return create(console, { slug, kind, price, ...limits }, served);
  });
  const { input, output } = MOST_REALTIME_TOKENS;
  const limits = { context_window: input, max_output_tokens: output };
  const slug = slugOf('talk');
  const talk = create(
    console,
    { slug, kind: 'realtime', price: REALTIME_PRICE, ...limits },
    { type: 'openai', base_url: `${sessionsUrl}/v1`, models: { [slug]: TALK_UPSTREAM } },
  );
  const channels = await Promise.all([...asked, talk]);
  // A gateway that knows the model that was created last knows all channels.
  const last = `overdraw-last-${attack}`;
  await console.demand('POST', '/models', { slug: last, kind: 'chat', price: CHAT_PRICE });
  return {
    last,
    slugOf,
    async remove() {
      for (const id of channels) await console.demand('DELETE', `/channels/${id}`);
    },
  };
}

/** @returns the id of the channel. */
async function create(
  console: ConsoleClient,
  model: { readonly slug: string; readonly kind: string; readonly price: object },
  channel: object,
): Promise<string> {
  await console.demand('POST', '/models', model);
  const { id } = await console.demand<{ id: string }>('POST', '/channels', {
    name: model.slug,
    api_key: PROVIDER_KEYS[0],
    ...channel,
  });
  return id;
}
