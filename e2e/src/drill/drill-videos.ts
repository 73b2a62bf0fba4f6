import type { FakeJobs } from '@mg/testkit';
import { PROVIDER_KEYS } from '../deployment/credentials.js';

const PRICE = { per_second: '0.01' } as const;

/** Models of the drill and how their jobs go at the fake provider; a second name is tried when the first refuses. */
export const DRILL_MODELS = {
  'drill-makes': ['seedance'],
  'drill-quick': ['seedance--done-at-once'],
  'drill-fails': ['seedance--fails'],
  'drill-refused': ['seedance--refuse-400'],
  'drill-lost': ['seedance--drop-made'],
  'drill-stumbles': ['seedance--poll-drops'],
  'drill-second': ['seedance--refuse-429', 'seedance--done-at-once'],
} as const;

const SLUGS = Object.keys(DRILL_MODELS) as (keyof typeof DRILL_MODELS)[];

/** The drill's models as the configuration file names them. */
export const VIDEO_MODELS: readonly object[] = SLUGS.map((slug) => ({ slug, kind: 'video', price: PRICE }));

/** Channels to the fake provider, the second of which is asked when the first refuses. */
export function listVideoChannels(jobs: FakeJobs): object[] {
  return [0, 1].map((place) => ({
    name: `drill-${place}`,
    type: 'videonative',
    base_url: jobs.urlOf('ark'),
    api_keys: [...PROVIDER_KEYS],
    priority: -place,
    timeout: { connect: '1s', first_byte: '3s', idle: '3s', total: '10s' },
    models: Object.fromEntries(
      SLUGS.flatMap((slug) => {
        const upstream = (DRILL_MODELS[slug] as readonly string[])[place];
        return upstream === undefined ? [] : [[slug, upstream]];
      }),
    ),
  }));
}
