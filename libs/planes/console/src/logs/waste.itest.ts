import { newId } from '@mg/contract';
import { WasteLedger } from '@mg/persistence/billing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';

let bed: TestBed;
let console: OpenConsole;
let session: string;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
});

afterAll(() => bed.stop());

interface Answer {
  readonly data: readonly unknown[];
  readonly total: unknown;
}

const show = async (query = '') =>
  (await console.call<Answer>('GET', `/api/v1/waste${query}`, { session })).body;

it('F11: shows waste by channel and reason beside what callers paid, most expensive first', async () => {
  expect(await show()).toEqual({ data: [], total: { calls: 0, attempts: 0, cost: '0', spend: '0' } });
  const [one, other, lost] = [newId(), newId(), newId()];
  const wasted = { model: 'm', usage: {} as never };
  await new WasteLedger(bed.database).book([
    { ...wasted, request_id: one, attempt: 0, channel: 'a', reason: 'timed_out', amount: '30000000' },
    { ...wasted, request_id: one, attempt: 1, channel: 'a', reason: 'timed_out', amount: '10000000' },
    { ...wasted, request_id: other, attempt: 0, channel: 'a', reason: 'failed', amount: '5000000' },
    { ...wasted, request_id: lost, attempt: -1, channel: '', reason: 'gateway_lost', amount: '1' },
  ]);
  await bed.database.query(
    `insert into usage_cell (grain, at, user_id, token_id, model, channel, calls, errors, input_tokens, output_tokens, cost)
     select grain, date_trunc(grain, now(), 'UTC'), $1, $1, 'm', channel, 1, 0, 0, 0, 2000000000
       from unnest(array['hour', 'day']) grain, unnest(array['a', 'b']) channel`,
    [newId()],
  );
  expect(await show()).toEqual({
    data: [
      { channel: 'a', reason: 'timed_out', calls: 1, attempts: 2, cost: '0.04', spend: '2' },
      { channel: 'a', reason: 'failed', calls: 1, attempts: 1, cost: '0.005', spend: '2' },
      { channel: '', reason: 'gateway_lost', calls: 1, attempts: 1, cost: '0.000000001', spend: '0' },
    ],
    total: { calls: 3, attempts: 4, cost: '0.045000001', spend: '4' },
  });
  expect((await show('?from=2020-01-01&to=2020-01-08')).data).toEqual([]);
  const long = await console.call('GET', '/api/v1/waste?from=2020-01-01', { session });
  expect([long.status, JSON.stringify(long.body)]).toEqual([
    400,
    expect.stringContaining('at most 400 days'),
  ]);
});
