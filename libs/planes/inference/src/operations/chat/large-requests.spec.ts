import { type Catalog, parsePrice } from '@mg/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Funds } from '../../access/funds.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../../testing/small-gateway.js';

const MEBIBYTE = 1024 * 1024;
/** Nobody listens there: what is measured is done before anything is sent. */
const NOBODY = 'http://127.0.0.1:9/v1';
const PRICE = { input_per_million: '1', output_per_million: '1', per_web_search: '0.01' };
/** Read or written in one step, these bodies took two to four times as long as one whose message is as large. */
const MOST_TIMES = 1.8;
/** The least of several measurements is the one that the collector has disturbed least. */
const TRIES = 3;
/** As many again, and more, for a turn that was too long. */
const MOST_TRIES = 10;

let gateway: SmallGateway;
/** Longest turn of the event loop so far, in time of the processor. */
let longestMs = 0;
let timer: NodeJS.Immediate;

beforeAll(async () => {
  const models = new Map([
    [
      'm',
      {
        slug: 'm',
        kind: 'chat',
        createdAt: 0,
        contextWindow: 100_000,
        prices: [{ versionId: 'p', effectiveFrom: 0, price: parsePrice(PRICE) }],
      },
    ],
  ]) as unknown as Catalog['models'];
  const funds = { need: async () => undefined } as unknown as Funds;
  gateway = await startSmallGateway('large', {
    funds,
    catalog: () => ({ version: 1, models, channelsBySlug: new Map([['m', gateway.channels]]) }),
  });
  let sinceUs = process.threadCpuUsage().user;
  const look = () => {
    const nowUs = process.threadCpuUsage().user;
    longestMs = Math.max(longestMs, (nowUs - sinceUs) / 1_000);
    sinceUs = nowUs;
    timer = setImmediate(look);
  };
  look();
});
afterAll(async () => {
  clearImmediate(timer);
  await gateway.close();
});

const LONG = 'word '.repeat((12 * MEBIBYTE) / 5);
const TURN = { role: 'user', content: 'Hello.' };
const TOOL = { type: 'object', properties: { a: { type: 'string', description: LONG } } };
/** The same of a request whose message is as large. */
let plainMs: number | undefined;
const SEARCH = { type: 'web_search_20250305', name: 'web_search' };

/**
 * Longest turn of the event loop while a request is made, in milliseconds of the processor: the best of some tries, for garbage is
 * collected in a turn now and then, whereas what holds the loop holds it each time.
 *
 * @param enough ends the tries; 0: all of the few are made.
 */
async function measure(type: string, path: string, body: object, enough: number): Promise<number> {
  gateway.channels = [makeChannel('c', { type, baseUrl: NOBODY, apiKeys: ['k'] })];
  const text = JSON.stringify({ model: 'm', ...body });
  let best = Infinity;
  for (let attempt = 0; attempt < (enough === 0 ? TRIES : MOST_TRIES) && best >= enough; attempt++) {
    longestMs = 0;
    const answer = await gateway.post(path, text);
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { detail: { code: 'upstream_unavailable' } },
    ]);
    best = Math.min(best, longestMs);
  }
  return best;
}

it.each<[string, string, string, object]>([
  [
    'tools that are limited',
    'anthropic',
    '/v1/messages',
    { max_tokens: 9, messages: [TURN], tools: [SEARCH, { name: 'f', input_schema: TOOL }] },
  ],
  [
    'calls of tools that are limited',
    'openai',
    '/v1/responses',
    { input: 'Hello.', tools: [{ type: 'web_search' }, { type: 'function', name: 'f', parameters: TOOL }] },
  ],
  [
    'a prediction',
    'openai',
    '/v1/chat/completions',
    { messages: [TURN], prediction: { type: 'content', content: LONG } },
  ],
  [
    'a wish for JSON',
    'openai',
    '/v1beta/models/m:generateContent',
    {
      model: undefined,
      contents: [{ parts: [{ text: LONG }] }],
      generationConfig: { responseMimeType: 'application/json' },
    },
  ],
])('M5: a request is read and written in steps, however much stands in %s', async (_, type, path, body) => {
  const plain = { messages: [{ ...TURN, content: LONG }] };
  plainMs ??= await measure('openai', '/v1/chat/completions', plain, 0);
  const took = await measure(type, path, body, MOST_TIMES * plainMs);
  expect(took).toBeLessThan(MOST_TIMES * plainMs);
});
