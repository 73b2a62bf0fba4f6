import { newId } from '@mg/contract';
import { seedPayer } from '@mg/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { CachedContents } from './cached-contents.js';

const HOUR_SECONDS = 3_600;

let test: TestDatabase;
let contents: CachedContents;
let walletId: string;
beforeAll(async () => {
  test = await openTestDatabase(2);
  contents = new CachedContents(test.database);
});
beforeEach(async () => {
  ({ walletId } = await seedPayer(test.database, { balance: 1n }));
});
afterAll(() => test.stop());

const make = (id: string) =>
  contents.create(walletId, {
    id,
    model: 'gemini',
    channelId: newId(),
    keyHash: 'hash',
    upstreamName: `cachedContents/${id}`,
    displayName: undefined,
    tokens: 4_096,
    ttlSeconds: HOUR_SECONDS,
    paidSeconds: HOUR_SECONDS,
  });

const end = (id: string) =>
  test.database.query(
    `update cached_content set expires_at = now() - interval '1 second' where wallet_id = $1 and id = $2`,
    [walletId, id],
  );

describe('cached contents', () => {
  it('whose time is over are not there, and take the place of no other one, before they are deleted', async () => {
    await make('a');
    await make('b');
    await end('a');
    expect(await contents.find(walletId, 'a')).toBeUndefined();
    expect(await contents.list(walletId, '', 10)).toMatchObject([{ id: 'b' }]);
    expect(await contents.count(walletId)).toBe(1);
    await contents.expire();
    expect(await contents.count(walletId)).toBe(1);
  });

  it('are of one wallet', async () => {
    await make('a');
    const { walletId: otherId } = await seedPayer(test.database, { balance: 1n });
    expect(await contents.find(otherId, 'a')).toBeUndefined();
    expect(await contents.delete(otherId, 'a')).toBe(false);
    expect(await contents.keepUntil(otherId, 'a', new Date())).toBeUndefined();
  });

  it('end later only within the time that was charged for', async () => {
    const { paidUntil } = await make('a');
    expect(await contents.keepUntil(walletId, 'a', paidUntil)).toMatchObject({ id: 'a' });
    const beyond = new Date(paidUntil.getTime() + 1_000);
    expect(await contents.keepUntil(walletId, 'a', beyond)).toBeUndefined();
  });
});
