import { type ModelKind, omitUndefined } from '@mg/contract';
import { CHARACTER_PRICE, MINUTE_PRICE } from './audio.js';
import { EMBEDDING_PRICE, RERANK_PRICE } from './texts.js';
import { SECOND_PRICE } from './videos.js';

/** Every endpoint that is billed, by a short name, and the kind of model that it serves. */
export const BILLED_KINDS = {
  chat: 'chat',
  messages: 'chat',
  generate: 'chat',
  embeddings: 'embedding',
  'image-generations': 'image',
  'image-edits': 'image',
  'video-generic': 'video',
  'video-native': 'video',
  transcriptions: 'transcription',
  completions: 'chat',
  responses: 'chat',
  'stream-generate': 'chat',
  'embed-content': 'embedding',
  'batch-embed-contents': 'embedding',
  translations: 'transcription',
  speech: 'speech',
  rerank: 'rerank',
} as const satisfies Record<string, AskedKind>;

export type BilledName = keyof typeof BILLED_KINDS;

/** What may be the matter with a model: the upstream fails or is slow, nobody reaches it, it has no price, it is switched off. */
export type Condition = 'works' | 'fails' | 'slow' | 'unreachable' | 'unpriced' | 'retired';

/** The model of an endpoint in a condition. One that fails is its own, since channels rest for models that failed. */
export function slugWhere(name: BilledName, condition: Condition): string {
  return `${condition === 'fails' ? name : BILLED_KINDS[name]}/${condition}`;
}

/** Videos that take their way through all states, at the pace of a provider. */
export const SLOW_VIDEOS = {
  'slow-video-succeeds': 'seedance',
  'slow-video-fails': 'seedance--fails',
} as const;

/** A video whose provider never answers a poll. */
export const LOST_VIDEO = { 'lost-video': 'seedance-lost' } as const;

export const IMAGE_PRICE = '0.04';

/** Kinds of models whose endpoints are asked once and answered once, and that cost something. */
type AskedKind = Exclude<ModelKind, 'moderation' | 'realtime'>;

const WORKING: Readonly<Record<AskedKind, string>> = {
  chat: 'plain',
  embedding: 'embed-openai',
  image: 'gpt-image-1',
  transcription: 'whisper-1',
  speech: 'tts-1',
  rerank: 'rank-jina',
  video: 'seedance--done-at-once',
};

const NAMES = Object.keys(BILLED_KINDS) as BilledName[];
const SHARED = ['works', 'slow', 'unreachable', 'unpriced', 'retired'] as const;
/** What a channel has for the first event of a stream; slow models take longer for a whole answer. */
const SHORT_FIRST_BYTE = '300ms';

interface Addresses {
  readonly upstreamUrl: string;
  readonly jobsUrl: string;
  readonly closedPort: number;
}

export function listConditionChannels(
  { upstreamUrl, jobsUrl, closedPort }: Addresses,
  channel: object,
): object[] {
  const nobody = `http://127.0.0.1:${closedPort}/v1`;
  const videos = NAMES.filter((name) => BILLED_KINDS[name] === 'video');
  const others = NAMES.filter((name) => BILLED_KINDS[name] !== 'video');
  const open = (name: string, type: string, baseUrl: string, models: object) => ({
    ...channel,
    name,
    type,
    base_url: baseUrl,
    models,
  });
  return [
    open('conditions', 'openai-compatible', `${upstreamUrl}/v1`, mapToUpstream(others, 'error-500')),
    {
      ...open('conditions-slow', 'openai-compatible', `${upstreamUrl}/v1`, mapToSlow(others)),
      timeout: { connect: '10s', first_byte: SHORT_FIRST_BYTE, idle: SHORT_FIRST_BYTE, total: '60s' },
    },
    open('conditions-videos', 'videonative', `${jobsUrl}/ark`, {
      ...mapToUpstream(videos, 'seedance--refuse-401'),
      ...SLOW_VIDEOS,
      ...LOST_VIDEO,
    }),
    open('nobody', 'openai-compatible', nobody, [
      ...new Set(others.map((name) => slugWhere(name, 'unreachable'))),
    ]),
    open('nobody-videos', 'videonative', nobody, [
      ...new Set(videos.map((name) => slugWhere(name, 'unreachable'))),
    ]),
  ];
}

function mapToSlow(names: readonly BilledName[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [slugWhere(name, 'slow'), `${WORKING[BILLED_KINDS[name]]}--slow`]),
  );
}

function mapToUpstream(names: readonly BilledName[], failing: string): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const working = WORKING[BILLED_KINDS[name]];
      return [
        [slugWhere(name, 'works'), working],
        [slugWhere(name, 'unpriced'), working],
        [slugWhere(name, 'retired'), working],
        [slugWhere(name, 'fails'), failing],
      ];
    }),
  );
}

export function listConditionModels(tokenPrice: object): object[] {
  const prices: Readonly<Record<AskedKind, object>> = {
    chat: tokenPrice,
    embedding: EMBEDDING_PRICE,
    image: { per_image: IMAGE_PRICE },
    transcription: MINUTE_PRICE,
    speech: CHARACTER_PRICE,
    rerank: RERANK_PRICE,
    video: { per_second: SECOND_PRICE },
  };
  const describe = (slug: string, kind: keyof typeof prices, condition: Condition) =>
    omitUndefined({
      slug,
      kind,
      max_output_tokens: kind === 'chat' ? 4_096 : undefined,
      state: condition === 'retired' ? 'disabled' : undefined,
      price: condition === 'unpriced' ? undefined : prices[kind],
    });
  const kinds = new Map(NAMES.map((name) => [BILLED_KINDS[name], name]));
  return [
    ...[...kinds].flatMap(([kind, name]) =>
      SHARED.map((condition) => describe(slugWhere(name, condition), kind, condition)),
    ),
    ...NAMES.map((name) => describe(slugWhere(name, 'fails'), BILLED_KINDS[name], 'fails')),
    ...Object.keys({ ...SLOW_VIDEOS, ...LOST_VIDEO }).map((slug) => describe(slug, 'video', 'works')),
  ];
}
