import type { Dependency, Plane } from './outage-fleet.js';

/** What callers and operators ask while something is away. */
export const QUESTIONS = [
  'chat',
  'new video',
  'poll of a video',
  'list of models',
  'with a key not seen lately',
  'login',
  'logs',
  'top-up',
] as const;
export type Question = (typeof QUESTIONS)[number];

/** What is seen while a dependency is away: statuses, with the code of an error or the reason for not being ready. */
export interface ExpectedView {
  readonly ready: Readonly<Record<Plane, string>>;
  readonly answers: Readonly<Record<Question, string>>;
  /** What becomes of a stream that was in flight. */
  readonly stream: 'goes on' | 'ends with an error event';
}

const READY = { gateway: '200', billing: '200', 'video-worker': '200', console: '200' } as const;
const ANSWERED = Object.fromEntries(QUESTIONS.map((question) => [question, '200'])) as Record<
  Question,
  '200'
>;
const UNAVAILABLE = '503 service_unavailable';
const NOBODY = 'refused';
const NO_BILLING = '503 Billing does not answer.';

export const NOTHING_AWAY: ExpectedView = { ready: READY, answers: ANSWERED, stream: 'goes on' };

/** While planes run and one thing goes away. The table in docs/operations.md says the same. */
export const WHILE_AWAY: Readonly<Record<Dependency, ExpectedView>> = {
  postgres: {
    ready: {
      gateway: NO_BILLING,
      billing: '503 Postgres cannot be reached.',
      'video-worker': '503 Postgres cannot be reached.',
      console: '503 the database does not answer',
    },
    answers: {
      chat: UNAVAILABLE,
      'new video': UNAVAILABLE,
      'poll of a video': UNAVAILABLE,
      'list of models': '200',
      'with a key not seen lately': UNAVAILABLE,
      login: UNAVAILABLE,
      logs: UNAVAILABLE,
      'top-up': UNAVAILABLE,
    },
    stream: 'goes on',
  },
  redis: {
    ready: {
      gateway: NO_BILLING,
      billing: '503 Redis cannot be reached.',
      'video-worker': '503 Redis does not answer.',
      console: '200',
    },
    answers: { ...ANSWERED, chat: UNAVAILABLE, 'new video': UNAVAILABLE, 'top-up': UNAVAILABLE },
    stream: 'goes on',
  },
  billing: {
    ready: { ...READY, gateway: NO_BILLING, billing: NOBODY },
    answers: { ...ANSWERED, chat: UNAVAILABLE, 'new video': UNAVAILABLE, 'top-up': UNAVAILABLE },
    stream: 'goes on',
  },
  provider: {
    ready: READY,
    answers: { ...ANSWERED, chat: '503 upstream_unavailable', 'new video': '503 upstream_unavailable' },
    stream: 'ends with an error event',
  },
};

/** What becomes of a plane that is started while something is away. */
export type Start = 'ends' | 'waits' | 'serves';

export const STARTED_WHILE_AWAY: Readonly<
  Record<'postgres' | 'redis' | 'billing', Readonly<Partial<Record<Plane, Start>>>>
> = {
  postgres: { gateway: 'ends', billing: 'ends', 'video-worker': 'ends', console: 'ends' },
  redis: { gateway: 'waits', billing: 'ends', 'video-worker': 'waits', console: 'serves' },
  billing: { gateway: 'waits', 'video-worker': 'serves', console: 'serves' },
};
