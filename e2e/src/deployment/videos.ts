/** What a second of video costs, in USD, and what one in high resolution does. */
export const SECOND_PRICE = '0.05';
export const SECOND_PRICE_1080P = '0.12';

/** Video models over the fake job APIs: the public slug, and the upstream's name whose ending is how the fake behaves. */
const NATIVE_MODELS = {
  'video-native': 'seedance--done-at-once',
  'video-refused': 'seedance--refuse-policy',
  'video-limited': 'seedance--refuse-429',
  'video-broken': 'seedance--break-500-unmade',
  'video-fails': 'seedance-that-fails',
  'video-lost': 'seedance--drop-made',
  'video-queued': 'seedance--never-starts',
} as const;
const GENERIC_MODELS = { 'video-generic': 'sora-2--done-at-once' } as const;

export function listVideoChannels(jobsUrl: string, closedPort: number, channel: object): object[] {
  return [
    {
      ...channel,
      name: 'videos-native',
      type: 'videonative',
      base_url: `${jobsUrl}/ark`,
      models: NATIVE_MODELS,
    },
    {
      ...channel,
      name: 'videos-generic',
      type: 'openai',
      base_url: `${jobsUrl}/openai`,
      models: GENERIC_MODELS,
    },
    {
      ...channel,
      name: 'videos-unreachable',
      type: 'videonative',
      base_url: `http://127.0.0.1:${closedPort}`,
      models: ['video-unreachable'],
    },
  ];
}

export function listVideoModels(): object[] {
  const slugs = [...Object.keys(NATIVE_MODELS), ...Object.keys(GENERIC_MODELS), 'video-unreachable'];
  return slugs.map((slug) => ({
    slug,
    kind: 'video',
    price: { per_second: SECOND_PRICE, variants: { '1080p': { per_second: SECOND_PRICE_1080P } } },
  }));
}
