import { stringify } from 'yaml';
import { ADMIN, KEYS, PROVIDER_KEYS } from './credentials.js';

/** What a response of the models `talk` and `talk-on` costs, in USD; the odd figures make every line round. */
export const REALTIME_PRICE = {
  input_per_million: '0.600000001',
  cached_input_per_million: '0.060000001',
  audio_input_per_million: '10.000000001',
  output_per_million: '2.400000001',
  audio_output_per_million: '20.000000001',
} as const;

/** What a minute of the model `write` costs, in USD. */
export const TRANSCRIPTION_PRICE = '0.006';

/** Models of the Live API, and what the fake provider calls them. */
const LIVE_MODELS = { live: 'live', 'live-on': 'live--holds', 'live-calls': 'live--calls' };

/** How long channels wait, as the `timeout` of a channel says it. */
export type ChannelPatience = Readonly<Partial<Record<'first_byte' | 'idle' | 'total', string>>>;

export interface SmallConfiguration {
  /** Address of the fake chat provider, with a slash at its end. */
  readonly chatUrl: string;
  /** Address of the fake job APIs, with a slash at its end. */
  readonly videoUrl: string;
  /** Callers' keys beside the main one. */
  readonly keys?: readonly string[];
  readonly patience?: ChannelPatience | undefined;
}

/** The YAML file of a deployment with little in it: models `plain` and `endless` for chats, `talk` and `talk-on` for
 * realtime sessions, `write` for those that only transcribe, `live` and others for those of Google's Live API, `film` for videos, one wallet. */
export function writeSmallConfiguration({
  chatUrl,
  videoUrl,
  keys = [],
  patience,
}: SmallConfiguration): string {
  const timeout = { connect: '1s', first_byte: '30s', idle: '30s', ...patience };
  const channel = { api_keys: [...PROVIDER_KEYS], timeout };
  return stringify({
    admin: ADMIN,
    channels: [
      {
        ...channel,
        name: 'chat',
        type: 'openai-compatible',
        base_url: `${chatUrl}v1`,
        models: {
          plain: 'plain',
          endless: 'endless',
          talk: 'talk',
          'talk-on': 'talk--holds',
          write: 'their-whisper',
        },
      },
      {
        ...channel,
        name: 'live',
        type: 'gemini',
        base_url: `${chatUrl}v1beta`,
        models: LIVE_MODELS,
      },
      {
        ...channel,
        name: 'video',
        type: 'videonative',
        base_url: `${videoUrl}ark`,
        models: { film: 'seedance--done-at-once' },
      },
    ],
    models: [
      ...['plain', 'endless'].map((slug) => ({
        slug,
        kind: 'chat',
        max_output_tokens: 4_096,
        price: { input_per_million: '1', output_per_million: '1' },
      })),
      ...['talk', 'talk-on', ...Object.keys(LIVE_MODELS)].map((slug) => ({
        slug,
        kind: 'realtime',
        context_window: 10_000,
        max_output_tokens: 1_000,
        price: REALTIME_PRICE,
      })),
      { slug: 'write', kind: 'transcription', price: { per_minute: TRANSCRIPTION_PRICE } },
      { slug: 'film', kind: 'video', price: { per_second: '0.01' } },
    ],
    wallets: [{ name: 'main', balance: '1000.00' }],
    tokens: [KEYS.main, ...keys].map((key, place) => ({
      name: place === 0 ? 'main' : `key ${place}`,
      wallet: 'main',
      key,
    })),
  });
}
