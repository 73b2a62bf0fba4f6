import { hash } from 'node:crypto';
import { newId } from '@mg/contract';
import { TaskLedger } from '@mg/persistence/billing';
import { writeRequestLog } from '@mg/persistence/gateway';
import { buildTaskRequest } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ADMIN,
  ENCRYPTION_KEY,
  FIRST_KEY,
  JWT_SECRET,
  makeTestBed,
  type OpenConsole,
  type TestBed,
} from './testing/open-test-console.js';
import { GOOD_BODIES, type OwnedRow, ROUTE_RULES, type RouteRule } from './testing/route-rules.js';
import { ANSWERED_CALL } from './testing/answered-call.js';

const PROVIDER_KEY = 'sk-provider-key-of-the-test';

let bed: TestBed;
let console: OpenConsole;
const sessions: Record<string, string> = {};
const ids: Record<string, string> = {};

async function makeMember(name: string): Promise<void> {
  const email = `${name}@example.com`;
  const password = `password of ${name}`;
  const { body } = await console.call<{ id: string }>('POST', '/api/v1/users', {
    session: sessions['admin'],
    body: { email, password, role: 'member', name },
  });
  ids[`${name}:user`] = body.id;
  sessions[name] = await console.login(email, password);
  const token = await console.call<{ id: string; wallet_id: string }>('POST', '/api/v1/tokens', {
    session: sessions[name],
    body: { name: `${name}'s token` },
  });
  ids[`${name}:token`] = token.body.id;
  ids[`${name}:wallet`] = token.body.wallet_id;
  const project = await console.call<{ id: string }>('POST', '/api/v1/projects', {
    session: sessions['admin'],
    body: { name: `${name}'s project` },
  });
  ids[`${name}:project`] = project.body.id;
  await console.call('PUT', `/api/v1/projects/${project.body.id}/members/${body.id}`, {
    session: sessions['admin'],
    body: { role: 'owner' },
  });
  ids[`${name}:log`] = newId();
  await writeRequestLog(bed.database, [
    {
      requestId: ids[`${name}:log`] ?? '',
      createdAt: new Date(),
      userId: body.id,
      tokenId: token.body.id,
      tokenName: `${name}'s token`,
      walletId: token.body.wallet_id,
      model: `${name}-model`,
      ...ANSWERED_CALL,
    },
  ]);
  const payer = { userId: body.id, tokenId: token.body.id, walletId: token.body.wallet_id };
  const [price] = await bed.database.query('select id from price_version limit 1');
  const work = { ...payer, model: `${name}-model`, priceVersionId: price.id };
  const task = buildTaskRequest(work, { hold: { wanted: 0n, minimum: 0n } });
  await new TaskLedger(bed.database).openTask(task);
  ids[`${name}:task`] = task.task.id;
  await bed.database.query(`update task set state = 'succeeded' where id = $1`, [task.task.id]);
}

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  sessions['admin'] = await console.login(ADMIN.email, ADMIN.password);
  await makeMember('anna');
  await makeMember('bert');
  ids['channel'] = (
    await console.call<{ id: string }>('POST', '/api/v1/channels', {
      session: sessions['admin'],
      body: { name: 'a', type: 'openai', api_key: PROVIDER_KEY },
    })
  ).body.id;
});

afterAll(() => bed.stop());

interface Operation {
  readonly requestBody?: { content: { 'application/json': { schema: { properties?: object } } } };
}

/** Every route that the console says it has, with what its body may hold. */
async function readRoutes(): Promise<Map<string, Operation>> {
  const { body } = await console.call<{ paths: Record<string, Record<string, Operation>> }>(
    'GET',
    '/openapi.json',
  );
  return new Map(
    Object.entries(body.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
      ),
    ),
  );
}

/** A route's method and its URL with an id in the place of its parameter, and the caller's where a member is named. */
function toCall(route: string, id: string): [method: string, url: string] {
  const [method = '', path = ''] = route.split(' ');
  return [method, path.replace(/\{[^}]+\}/, id).replace(/\{\w+\}/, ids['anna:user'] ?? '')];
}

function bodyOf(route: string): object | undefined {
  return /^(?:GET|DELETE) /.test(route) ? undefined : (GOOD_BODIES[route] ?? {});
}

function routesWhere<Rule extends RouteRule>(fits: (rule: RouteRule) => rule is Rule): [string, Rule][] {
  return Object.entries(ROUTE_RULES).filter((pair): pair is [string, Rule] => fits(pair[1]));
}

const isRow = (rule: RouteRule): rule is { row: OwnedRow } => typeof rule === 'object' && 'row' in rule;
const isList = (rule: RouteRule): rule is { list: true } => typeof rule === 'object' && 'list' in rule;
const isAdministrators = (rule: RouteRule): rule is 'administrator' => rule === 'administrator';

describe('T4: every route', () => {
  it('has a rule, and every rule a route', async () => {
    expect([...(await readRoutes()).keys()].sort()).toEqual(Object.keys(ROUTE_RULES).sort());
  });

  it('is closed without a session, unless its rule says that it is public', async () => {
    const open: string[] = [];
    for (const route of Object.keys(ROUTE_RULES)) {
      const [method, url] = toCall(route, newId());
      const { status } = await console.call(method, url, { body: bodyOf(route) });
      if (status !== 401) open.push(route);
    }
    // The others are public too, and refuse what is no login. Without an issuer there is no single sign-on.
    expect(open).toEqual([
      'POST /api/v1/auth/sso/start',
      'GET /api/v1/auth/sso/callback',
      'POST /api/v1/auth/sso/exchange',
      'POST /api/v1/invitations/look',
      'POST /api/v1/invitations/register',
      'GET /api/v1/settings/public',
    ]);
  });
});

describe("T2: another user's rows", () => {
  it.each(routesWhere(isRow))('are not there: %s', async (route, { row }) => {
    const ask = (id: string | undefined) => {
      const [method, url] = toCall(route, id ?? '');
      return console.call<{ detail: { request_id: string } }>(method, url, {
        session: sessions['anna'],
        body: bodyOf(route),
      });
    };
    const [foreign, unknown, noId] = await Promise.all([
      ask(ids[`bert:${row}`]),
      ask(newId()),
      ask("1' or 1"),
    ]);
    expect(foreign.status).toBe(404);
    const hideId = (answer: typeof foreign) => answer.text.replace(answer.body.detail.request_id, '');
    expect(hideId(foreign)).toBe(hideId(unknown));
    expect(noId.status).toBe(404);
  });

  it.each(routesWhere(isList))('are in no list: %s', async (route) => {
    const [method, url] = toCall(route, '');
    const queries = url.endsWith('/usage') ? ['?group_by=model', '?group_by=token'] : [''];
    for (const query of queries) {
      const { status, text } = await console.call(method, `${url}${query}`, { session: sessions['anna'] });
      expect(status).toBe(200);
      expect(text).not.toMatch(/bert|first|main/);
      const foreign = Object.entries(ids).filter(([name]) => name.startsWith('bert'));
      expect(foreign.filter(([, id]) => text.includes(id))).toEqual([]);
      // A series has no names.
      expect(text).toMatch(url.endsWith('/series') ? /calls/ : /anna/);
    }
  });

  it.each(['wallets?sort=name&order=asc', 'wallets?sort=balance', 'tokens?sort=used', 'tasks?sort=charged'])(
    'are on no later page either: %s',
    async (list) => {
      const shown: string[] = [];
      let cursor: string | null = null;
      do {
        const after: string = cursor === null ? '' : `&cursor=${cursor}`;
        const { text, body } = await console.call<{ data: { id: string }[]; next_cursor: string | null }>(
          'GET',
          `/api/v1/${list}&limit=1${after}`,
          { session: sessions['anna'] },
        );
        shown.push(text);
        cursor = body.next_cursor;
      } while (cursor !== null);
      expect(shown).toHaveLength(list.startsWith('wallets') ? 2 : 1); // Hers, and of the project that she owns.
      expect(shown.join()).not.toMatch(/bert|first|main/);
    },
  );

  it('are in no sum, and cannot be asked for by a filter', async () => {
    const ask = (query: string) =>
      console.call<{ data: { calls: number }[] }>('GET', `/api/v1/${query}`, { session: sessions['anna'] });
    const series = await ask('usage/series');
    expect(series.body.data.reduce((sum, point) => sum + point.calls, 0)).toBe(1);
    for (const query of [
      `logs?token_id=${ids['bert:token']}`,
      `logs?user_id=${ids['bert:user']}`,
      `tokens?user_id=${ids['bert:user']}`,
      `wallets?user_id=${ids['bert:user']}`,
      `tasks?token_id=${ids['bert:token']}`,
    ]) {
      expect((await ask(query)).body.data).toEqual([]);
    }
    for (const list of ['tokens', 'logs', 'logs.csv', 'tasks', 'usage', 'usage/series']) {
      expect((await ask(`${list}?project_id=${ids['bert:project']}`)).status).toBe(404);
    }
    const sums = await ask(`usage/series?token_id=${ids['bert:token']}`);
    expect(sums.body.data.some((point) => point.calls > 0)).toBe(false);
  });

  it('stay as they were', async () => {
    const { body } = await console.call('GET', `/api/v1/tokens/${ids['bert:token']}`, {
      session: sessions['bert'],
    });
    expect(body).toMatchObject({ disabled: false, name: "bert's token" });
  });

  it('are all there for an administrator', async () => {
    for (const name of ['anna', 'bert']) {
      for (const [route, { row }] of routesWhere(isRow).filter(([route]) => route.startsWith('GET'))) {
        const [method, url] = toCall(route, ids[`${name}:${row}`] ?? '');
        expect((await console.call(method, url, { session: sessions['admin'] })).status).toBe(200);
      }
    }
  });

  it("cannot be paid for from another's wallet, nor paid into", async () => {
    const wallet_id = ids['bert:wallet'];
    const answers = await Promise.all(
      (
        [
          ['POST', '/api/v1/tokens', { name: newId(), wallet_id }],
          ['POST', '/api/v1/tokens', { name: newId(), project_id: ids['bert:project'] }],
          ['PATCH', `/api/v1/tokens/${ids['anna:token']}`, { wallet_id }],
          ['POST', '/api/v1/redemption-codes/redeem', { code: 'AAAAA', wallet_id }],
        ] as const
      ).map(([method, url, body]) => console.call(method, url, { session: sessions['anna'], body })),
    );
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404]);
  });
});

describe('T4: what administrators alone may do', () => {
  it.each(routesWhere(isAdministrators))('%s is closed to members', async (route) => {
    for (const id of [ids['channel'], ids['anna:wallet'], ids['anna:user'], 'sandbox-chat']) {
      const [method, url] = toCall(route, id ?? '');
      const member = await console.call<{ detail: object }>(method, url, {
        session: sessions['anna'],
        body: bodyOf(route),
      });
      expect(member.status).toBe(403);
      expect(member.body.detail).toMatchObject({ code: 'forbidden' });
    }
  });
});

/** Every route refuses what it does not know by the same rule: each name is tried at one route in so many. */
const ROUTES_FOR_A_NAME = 15;

describe('T5: fields that are nobody’s to set', () => {
  /** Names of columns, in both ways of writing them, and names that mean something to JavaScript or to SQL builders. */
  async function listNames(): Promise<string[]> {
    const rows: { name: string }[] = await bed.database.query(
      `select distinct column_name as name from information_schema.columns where table_schema = 'public' order by 1`,
    );
    const columns = rows.map((row) => row.name);
    const camel = columns.map((name) =>
      name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    );
    const special = 'constructor prototype toString $set raw name.raw user[id] is_admin'.split(' ');
    return [...new Set(['', ...special, ...columns, ...camel])];
  }

  /** The good body with one field too many: at the top, or within its first strict object. */
  function spoil(good: Readonly<Record<string, unknown>>, name: string, at: number): object {
    const value = [null, true, 0, '1', [], { raw: '1' }, { id: newId() }][at % 7];
    const inner = ['price', 'timeout'].find((field) => field in good);
    if (inner === undefined || at % 3 > 0) return { ...good, [name]: value };
    return { ...good, [inner]: { ...(good[inner] as object), [name]: value } };
  }

  async function fingerprint(): Promise<string> {
    const tables = [
      'app_user',
      'token',
      'wallet',
      'entry',
      'channel',
      'channel_credential',
      'model',
      'price_version',
    ];
    tables.push(
      'project',
      'project_member',
      'project_group',
      'project_invitation',
      'redemption_batch',
      'redemption_code',
      'price_import',
      'audit_log',
      'console_session',
    );
    const rows: unknown[] = [];
    for (const table of tables) {
      rows.push(await bed.database.query(`select t::text from ${table} as t order by 1`));
    }
    return hash('sha256', JSON.stringify(rows));
  }

  it('T5: every route with a body has one in this test that it would take', async () => {
    const withBody = [...(await readRoutes())].filter(([, operation]) => operation.requestBody);
    expect(Object.keys(GOOD_BODIES).sort()).toEqual(withBody.map(([route]) => route).sort());
  });

  it.each(Object.entries(GOOD_BODIES))('T5: a share of them at %s', async (route, good) => {
    const schema = (await readRoutes()).get(route)?.requestBody?.content['application/json'].schema;
    const known = new Set(Object.keys(schema?.properties ?? {}));
    const place = Object.keys(GOOD_BODIES).indexOf(route);
    const share = (await listNames()).filter((_name, at) => (at + place) % ROUTES_FOR_A_NAME === 0);
    const names = share.filter((name) => !known.has(name));
    expect(names.length).toBeGreaterThan(20);
    const id = route.includes('/models/') ? 'sandbox-chat' : (ids[idFor(route)] ?? newId());
    const [method, url] = toCall(route, id);
    const before = await fingerprint();
    const statuses = await Promise.all(
      names.map(async (name, at) => {
        const session = sessions['admin'];
        const answer = await console.call(method, url, { session, body: spoil(good, name, at) });
        return `${name} ${answer.status}`;
      }),
    );
    expect(statuses).toEqual(names.map((name) => `${name} 400`));
    expect(await fingerprint()).toBe(before);
  });

  function idFor(route: string): string {
    if (route.includes('/tokens/')) return 'anna:token';
    if (route.includes('/wallets/')) return 'anna:wallet';
    if (route.includes('/projects/')) return 'anna:project';
    return route.includes('/users/') ? 'anna:user' : 'channel';
  }

  it('T5: objects where a value is expected', async () => {
    for (const body of [
      { name: { $ne: '' } },
      { name: ['a'] },
      { name: 'a', allowed_models: { length: 1 } },
      { name: 'a', wallet_id: { raw: 'x' } },
      { name: 'a', disabled: 'false' },
    ]) {
      const answer = await console.call('POST', '/api/v1/tokens', { session: sessions['anna'], body });
      expect(answer.status).toBe(400);
    }
  });
});

describe('secrets', () => {
  it('are in no answer of any route, and in no line of the log', async () => {
    const stored: { text: string }[] = await bed.database.query(
      `select password_hash as text from app_user union select key_hash from token
       union select sealed from channel_credential union select refresh_hash from console_session`,
    );
    const secrets = [
      ...stored.map((row) => row.text),
      PROVIDER_KEY,
      ADMIN.password,
      JWT_SECRET,
      ENCRYPTION_KEY,
      FIRST_KEY,
    ];
    const texts = [bed.logged.join('')];
    for (const route of Object.keys(ROUTE_RULES).filter((name) => name.startsWith('GET'))) {
      for (const id of ['', ...Object.values(ids), 'sandbox-chat']) {
        const [method, url] = toCall(route, id);
        texts.push((await console.call(method, url, { session: sessions['admin'] })).text);
        if (!route.includes('{')) break;
      }
    }
    const all = texts.join('\n');
    expect(all.length).toBeGreaterThan(10_000);
    expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
  });
});
