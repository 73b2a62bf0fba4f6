import { randomBytes } from 'node:crypto';
import { type Fill, PAYLOADS } from './payloads.js';

/** One kind of answer. A model each: a channel that failed five times rests for the model, and is not asked any more. */
export interface AnswerKind {
  readonly name: string;
  readonly form: 'whole' | 'stream' | 'stream that is left';
  /** About so many bytes. */
  readonly make: Fill;
  /** In MB, where larger ones are known to be slow: docs/decisions/0012-the-event-loop-is-never-held.md. */
  readonly upTo?: number;
  /** Much like another one, and no part of the tests. */
  readonly fullSizeOnly?: true;
}

/** Stands in the last event of a stream that is left. */
export const LAST_WORD = 'the last word';

const whole = (content: string) =>
  `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":${content}},"finish_reason":"stop"}]}`;
const event = (content: string) =>
  `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":${content}},"finish_reason":null}]}\n\n`;
/** None of the answers reports usage: it has to be estimated. */
const END = `${event('""').replace('null', '"stop"')}data: [DONE]\n\n`;

const repeat = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length));
const picture: Fill = (bytes) => JSON.stringify(randomBytes(Math.ceil((bytes * 3) / 4)).toString('base64'));
const stream = (name: string, make: Fill): AnswerKind => ({ name, form: 'stream', make });
const letters = 'a'.repeat(1_000);

export const ANSWER_KINDS: readonly AnswerKind[] = [
  ...Object.entries(PAYLOADS).flatMap(([name, fill]): AnswerKind[] => [
    { name, form: 'whole', make: (bytes) => whole(fill(bytes)) },
    { ...stream(`one event of ${name}`, (bytes) => event(fill(bytes)) + END), fullSizeOnly: true },
  ]),
  // What compressing does not make short.
  { name: 'base64', form: 'whole', make: (bytes) => whole(picture(bytes)), fullSizeOnly: true, upTo: 10 },
  stream('events of one letter', (bytes) => repeat(event('"a"'), bytes) + END),
  stream('events of a thousand letters', (bytes) => repeat(event(`"${letters}"`), bytes) + END),
  stream('an event that never ends', (bytes) => `data: ${repeat('a', bytes)}`),
  stream('an event of many lines', (bytes) => `${repeat('data: 1\n', bytes)}\n${END}`),
  stream('comments', (bytes) => repeat(': a comment\n\n', bytes) + END),
  stream('comments within an event', (bytes) => repeat(':\n', bytes) + END),
  stream('blank lines', (bytes) => repeat('\n', bytes) + END),
  stream('blank lines of CRLF', (bytes) => repeat('\r\n', bytes) + END),
  {
    name: 'events of a thousand letters',
    form: 'stream that is left',
    make: (bytes) => repeat(event(`"${letters}"`), bytes) + event(`"${LAST_WORD}"`),
  },
];
