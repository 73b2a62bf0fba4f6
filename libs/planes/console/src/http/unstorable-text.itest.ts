import { newId } from '@mg/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import { GOOD_BODIES, ROUTE_RULES } from '../testing/route-rules.js';

const TEXTS = [
  ['NUL', 'a\0b'],
  ['half of a surrogate pair', 'a\uD83Db'],
] as const;

let bed: TestBed;
let console: OpenConsole;
let session: string;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
});

afterAll(() => bed.stop());

interface Failure {
  readonly detail: { readonly code: string; readonly param?: string };
}

function send(route: string, query: string, body: unknown) {
  const [method = '', path = ''] = route.split(' ');
  const url = path.replace(/\{[^}]+\}/, path.includes('/models/') ? 'sandbox-chat' : newId());
  return console.call<Failure>(method, `${url}${query}`, { session, body });
}

/** Every text of a body, names of members too, replaced in turn: what is sent, and the field that an answer has to name. */
function poison(body: Readonly<Record<string, unknown>>, text: string): [string, unknown][] {
  const names = Object.entries(body).filter(([, value]) => typeof value === 'string');
  return [
    ...names.map(([name]): [string, unknown] => [name, { ...body, [name]: text }]),
    [text.replace(/[\0\uD83D]/, '\uFFFD'), { ...body, [text]: 1 }],
    ['deep[0].field', { ...body, deep: [{ field: text }] }],
  ];
}

describe('M3: text that cannot be stored is refused by name', () => {
  it.each(TEXTS)('%s in every text of every body', async (_name, text) => {
    const wrong: string[] = [];
    for (const [route, body] of Object.entries(GOOD_BODIES)) {
      for (const [param, poisoned] of poison(body, text)) {
        const answer = await send(route, '', poisoned);
        const is = `${answer.status} ${answer.body.detail.code} ${answer.body.detail.param}`;
        if (is !== `400 invalid_request ${param}`) wrong.push(`${route} ${param}: ${is}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('NUL in every query and every path, signed in or not', async () => {
    const wrong: string[] = [];
    for (const route of [
      ...Object.keys(ROUTE_RULES),
      'GET /docs',
      'GET /',
      'GET /assets/a',
      'GET /healthz',
    ]) {
      const inQuery = await send(route, '?x=1&cursor=a%00', undefined);
      const inPath = await send(`${route}/%00`, '', undefined);
      const is = [inQuery, inPath].map(({ status, body }) => `${status} ${body.detail.param}`);
      if (is.join() !== '400 cursor,400 path') wrong.push(`${route}: ${is.join()}`);
    }
    expect(wrong).toEqual([]);
  });

  it('NUL in a cursor that was made up, and in a slug', async () => {
    for (const cursor of ['made-up', Buffer.from('a\0').toString('base64url')]) {
      const { status, body } = await send('GET /api/v1/tokens', `?cursor=${cursor}`, undefined);
      expect([status, body.detail.param]).toEqual([400, 'cursor']);
    }
    expect((await console.call('GET', '/api/v1/models/a%20b', { session })).status).toBe(404);
  });

  it('is no fault of ours, and nothing is logged as one', () => {
    expect(bed.logged.filter((line) => line.includes('Something went wrong'))).toEqual([]);
  });
});
