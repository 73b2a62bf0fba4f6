import { newId } from '@mg/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ADMIN,
  type CallOptions,
  makeTestBed,
  type OpenConsole,
  type TestBed,
} from '../testing/open-test-console.js';
import { GOOD_BODIES } from '../testing/route-rules.js';

interface Operation {
  readonly requestBody?: { readonly required?: boolean };
  readonly responses: Readonly<Record<string, object>>;
}

let bed: TestBed;
let console: OpenConsole;
let session: string;
let routes: (readonly [route: string, operation: Operation])[];

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
  const { body } = await console.call<{ paths: Record<string, Record<string, Operation>> }>(
    'GET',
    '/openapi.json',
  );
  routes = Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
});

afterAll(() => bed.stop());

/** Ways to ask that go wrong; each kind of route has its own answer to them. */
const PROBES: Readonly<Record<string, (route: string) => { query?: string; options: CallOptions }>> = {
  'no session': (route) => ({ options: { body: GOOD_BODIES[route] } }),
  'an unknown row': (route) => ({ options: { session, body: GOOD_BODIES[route] } }),
  'an unknown query': () => ({ query: '?nothing=1', options: { session } }),
  NUL: () => ({ query: '?a=%00', options: { session } }),
  'no JSON': () => ({ options: { session, rawBody: '{' } }),
  'a form': () => ({ options: { session, rawBody: 'a=b', headers: { 'content-type': 'text/plain' } } }),
  'a body that is too large': () => ({ options: { session, rawBody: `"${'a'.repeat(1_100_000)}"` } }),
};

const IS_READING = /^GET /;
/** It would end the session that the other probes stand on. */
const LEFT_OUT = new Set(['POST /api/v1/auth/logout']);

describe('the description of the API', () => {
  it.each(Object.entries(PROBES))('declares what every route answers to %s', async (_name, probe) => {
    const undeclared: string[] = [];
    for (const [route, operation] of routes.filter(([name]) => !LEFT_OUT.has(name))) {
      const [method = '', path = ''] = route.split(' ');
      const { query = '', options } = probe(route);
      const sent = IS_READING.test(route) ? { ...options, body: undefined, rawBody: undefined } : options;
      const url = `${path.replace(/\{[^}]+\}/, newId())}${query}`;
      const { status } = await console.call(method, url, sent as CallOptions);
      if (!(String(status) in operation.responses)) undeclared.push(`${route}: ${status}`);
    }
    expect(undeclared).toEqual([]);
  });

  it('declares other methods of its paths by answering 405 with those it has', async () => {
    const wrong: string[] = [];
    for (const path of new Set(routes.map(([route]) => route.split(' ')[1] ?? ''))) {
      const declared = routes
        .filter(([route]) => route.endsWith(` ${path}`))
        .map(([route]) => route.split(' ')[0]);
      const other = declared.includes('PUT') ? 'PATCH' : 'PUT';
      const { status, headers } = await console.call(other, path.replace(/\{[^}]+\}/, newId()), { session });
      const allowed = (headers.get('allow') ?? '').split(', ').filter((method) => method !== 'HEAD');
      if (status !== 405 || allowed.join() !== declared.toSorted().join())
        wrong.push(`${path}: ${status} ${allowed}`);
    }
    expect(wrong).toEqual([]);
  });
});
