import { seedPayer } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reencryptBodies } from '../secrets/reencrypt-bodies.js';
import { deriveSecretKey } from '../secrets/seal-secret.js';
import { measureTexts } from '../testing/measure-texts.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import type { NewItem } from './insert-items.js';
import { StoredConversations } from './stored-conversations.js';

const KEY = deriveSecretKey('a key of thirty-two characters...');
const SECRET = 'what was said';

let test: TestDatabase;
let conversations: StoredConversations;
let walletId: string;
let otherId: string;
beforeAll(async () => {
  test = await openTestDatabase(2);
  conversations = new StoredConversations(test.database, KEY);
  ({ walletId } = await seedPayer(test.database, { balance: 1n }));
  ({ walletId: otherId } = await seedPayer(test.database, { balance: 1n }));
});
afterAll(() => test.stop());

const make = (id: string, content = SECRET): NewItem => ({ id, item: { role: 'user', content } });
const listIds = async (id: string) => {
  const page = await conversations.list(walletId, id, { limit: 100, order: 'asc' });
  return page?.items.map((item) => item.id);
};

describe('a conversation', () => {
  it('is read with its wallet alone, and encrypted', async () => {
    const { id } = await conversations.create(walletId, { topic: SECRET }, [make('msg_1')]);
    expect(await conversations.find(walletId, id)).toMatchObject({ id, metadata: { topic: SECRET } });
    expect(await conversations.readAll(walletId, id)).toEqual([make('msg_1').item]);
    expect(await conversations.find(otherId, id)).toBeUndefined();
    expect(await conversations.update(otherId, id, {})).toBeUndefined();
    expect(await conversations.readAll(otherId, id)).toBe('missing');
    expect(await conversations.append(otherId, id, [make('msg_2')])).toBe('missing');
    expect(await conversations.list(otherId, id, { limit: 1, order: 'asc' })).toBeUndefined();
    expect(await conversations.findItem(otherId, id, 'msg_1')).toBeUndefined();
    expect(await conversations.deleteItem(otherId, id, 'msg_1')).toBe(false);
    expect(await conversations.delete(otherId, id)).toBe(false);
    const rows = await test.database.query<object[]>(
      'select c.*, i.* from conversation c join conversation_item i on i.conversation_id = c.id',
    );
    expect(JSON.stringify(rows)).not.toContain(SECRET);
    const another = new StoredConversations(
      test.database,
      deriveSecretKey('another key of as many characters'),
    );
    expect(await another.find(walletId, id)).toBeUndefined();
    expect(await another.readAll(walletId, id)).toBe('missing');
    await test.database.query('update conversation set wallet_id = $1 where id = $2', [otherId, id]);
    expect(await conversations.find(otherId, id)).toBeUndefined();
  });

  it('has its items page by page, in either order, and without those that were deleted', async () => {
    const { id } = await conversations.create(
      walletId,
      {},
      ['a', 'b', 'c'].map((name) => make(name)),
    );
    await conversations.append(walletId, id, [make('d')]);
    expect(await listIds(id)).toEqual(['a', 'b', 'c', 'd']);
    const first = await conversations.list(walletId, id, { limit: 3, order: 'desc' });
    expect(first).toMatchObject({ items: [{ id: 'd' }, { id: 'c' }, { id: 'b' }], hasMore: true });
    const next = await conversations.list(walletId, id, { after: 'b', limit: 3, order: 'desc' });
    expect(next).toMatchObject({ items: [{ id: 'a' }], hasMore: false });
    expect(await conversations.list(walletId, id, { after: 'x', limit: 3, order: 'asc' })).toBeUndefined();
    expect(await conversations.deleteItem(walletId, id, 'b')).toBe(true);
    expect(await conversations.deleteItem(walletId, id, 'b')).toBe(false);
    expect(await listIds(id)).toEqual(['a', 'c', 'd']);
    expect(await conversations.delete(walletId, id)).toBe(true);
    expect(await conversations.findItem(walletId, id, 'a')).toBeUndefined();
  });

  it('loses nothing: an item whose id is taken gets another one', async () => {
    const { id } = await conversations.create(walletId, {}, [make('a'), make('a')]);
    const added = await conversations.append(walletId, id, [make('a')]);
    expect(Array.isArray(added) && added[0]?.id).toMatch(/^a_/);
    expect(new Set(await listIds(id)).size).toBe(3);
  });

  it('has what each call adds in one piece, however many add at once', async () => {
    const { id } = await conversations.create(walletId, {}, []);
    const turns = Array.from({ length: 12 }, (_, turn) => [make(`q${turn}`), make(`a${turn}`)]);
    await Promise.all(turns.map((turn) => conversations.append(walletId, id, turn)));
    const ids = (await listIds(id)) ?? [];
    expect(ids).toHaveLength(24);
    for (let at = 0; at < 24; at += 2) expect(ids[at + 1]).toBe(ids[at]?.replace('q', 'a'));
  });

  it('takes no more than a request may hold, but what a finished call said', async () => {
    const { id } = await conversations.create(walletId, {}, []);
    const long = 'x'.repeat(900_000);
    for (const name of ['a', 'b', 'c']) await conversations.append(walletId, id, [make(name, long)]);
    expect(await conversations.append(walletId, id, [make('d', long)])).toBe('too-long');
    expect(await conversations.append(walletId, id, [make('d', long)], { always: true })).toHaveLength(1);
    expect(await conversations.readAll(walletId, id)).toBe('too-long');
    const { id: many } = await conversations.create(walletId, {}, []);
    const items = Array.from({ length: 2_049 }, (_, index) => make(`m${index}`));
    expect(await conversations.append(walletId, many, items)).toBe('too-long');
  });

  it('M5: is written and read in steps, however long an item is', async () => {
    let pauses = 0;
    const stepwise = new StoredConversations(test.database, KEY, { pause: async () => void pauses++ });
    const { id } = await stepwise.create(walletId, {}, [make('a', 'x'.repeat(2_000_000))]);
    expect(pauses).toBeGreaterThan(15);
    pauses = 0;
    const again = await stepwise.append(walletId, id, [make('a', 'y'.repeat(1_000_000))]);
    const [renamed] = Array.isArray(again) ? again : [];
    expect(pauses).toBeGreaterThan(7);
    pauses = 0;
    expect(await stepwise.readAll(walletId, id)).toHaveLength(2);
    expect(pauses).toBeGreaterThan(15);
    const found = await stepwise.findItem(walletId, id, renamed?.id ?? '');
    expect(found?.item).toEqual(make('a', 'y'.repeat(1_000_000)).item);
  });

  it('keeps no lock while an item is made ready, also one whose id is taken', async () => {
    const free: boolean[] = [];
    let id = '';
    const noteWhetherFree = async () => {
      const rows = await test.database.query<object[]>(
        'select 1 from conversation where id = $1 for update skip locked',
        [id],
      );
      free.push(rows.length === 1);
    };
    const stepwise = new StoredConversations(test.database, KEY, { pause: noteWhetherFree });
    ({ id } = await conversations.create(walletId, {}, [make('a')]));
    await stepwise.append(walletId, id, [make('a', 'x'.repeat(1_000_000)), make('b', 'x'.repeat(1_000_000))]);
    expect(free.length).toBeGreaterThan(15);
    expect(free).not.toContain(false);
  });

  it('M5: is written and read in steps, however many short items it has', async () => {
    let pauses = 0;
    const stepwise = new StoredConversations(test.database, KEY, { pause: async () => void pauses++ });
    const { id } = await stepwise.create(walletId, {}, []);
    const items = Array.from({ length: 2_000 }, (_, index) => make(`s${index}`));
    expect(await stepwise.append(walletId, id, items)).toHaveLength(2_000);
    expect(pauses).toBeGreaterThan(12);
    pauses = 0;
    expect(await stepwise.readAll(walletId, id)).toHaveLength(2_000);
    expect(pauses).toBeGreaterThan(8);
  });

  it('M5: with much in it reaches the database as bytes, and comes from it in parts', async () => {
    const long = make('long', 'x'.repeat(900_000));
    const items = Array.from({ length: 200 }, (_, index) => make(`s${index}`, 'y'.repeat(2_000)));
    const found: unknown[] = [];
    const { longest } = await measureTexts(test.database, async () => {
      const { id } = await conversations.create(walletId, {}, [long, ...items]);
      await conversations.append(walletId, id, [long]);
      found.push(await conversations.readAll(walletId, id));
      const page = await conversations.list(walletId, id, { limit: 2, order: 'asc' });
      found.push(
        page?.items.map(({ item }) => item),
        (await conversations.findItem(walletId, id, 'long'))?.item,
      );
    });
    expect(found).toEqual([
      [long, ...items, long].map(({ item }) => item),
      [long.item, items[0]?.item],
      long.item,
    ]);
    expect(longest).toBeLessThanOrEqual(256 * 1024);
  });

  it('M5: is read in a turn where it holds much', async () => {
    const turns: string[] = [];
    const takeTurn = () => {
      turns.push('begun');
      return Promise.resolve(() => void turns.push('ended'));
    };
    const inTurns = new StoredConversations(test.database, KEY, { takeTurn });
    const little = await inTurns.create(walletId, {}, [make('a')]);
    const much = await inTurns.create(walletId, {}, [make('b', 'x'.repeat(300_000))]);
    expect([await inTurns.readAll(walletId, little.id), turns]).toEqual([[make('a').item], []]);
    expect(await inTurns.readAll(walletId, much.id)).toEqual([make('b', 'x'.repeat(300_000)).item]);
    expect(turns).toEqual(['begun', 'ended']);
  });

  it('goes first where it was not used for the longest time, once its wallet has no room', async () => {
    const small = new StoredConversations(test.database, KEY, { maxWalletBytes: 64 * 1024 });
    const { walletId: flooder } = await seedPayer(test.database, { balance: 1n });
    const ids: string[] = [];
    for (let made = 0; made < 100; made++) {
      ids.push((await small.create(flooder, {}, [])).id);
      await small.append(flooder, ids.at(-1) ?? '', [make('a', 'x'.repeat(4_000))]);
    }
    const [row] = await test.database.query<{ n: number }[]>(
      'select count(*)::int as n from conversation where wallet_id = $1',
      [flooder],
    );
    expect(row?.n).toBeLessThan(30);
    expect(await small.find(flooder, ids.at(-1) ?? '')).toBeDefined();
    expect(await small.find(flooder, ids[0] ?? '')).toBeUndefined();
  });

  it('is forgotten so many days after it was used', async () => {
    const { id: old } = await conversations.create(walletId, {}, [make('a')]);
    const { id: used } = await conversations.create(walletId, {}, []);
    const age = `update conversation set used_at = now() - interval '31 days' where id = any($1)`;
    await test.database.query(age, [[old, used]]);
    await conversations.append(walletId, used, [make('a')]);
    await conversations.expire(30);
    expect(await conversations.find(walletId, old)).toBeUndefined();
    expect(await conversations.find(walletId, used)).toBeDefined();
  });

  it('opens after a rotation of ENCRYPTION_KEY', async () => {
    const { id } = await conversations.create(walletId, { a: 'b' }, [make('a')]);
    const old = 'a key of thirty-two characters...';
    const rotated = 'a new key of thirty-two characters';
    await reencryptBodies(test.database, deriveSecretKey(rotated, old));
    const later = new StoredConversations(test.database, deriveSecretKey(rotated));
    expect(await later.find(walletId, id)).toMatchObject({ metadata: { a: 'b' } });
    expect(await later.readAll(walletId, id)).toHaveLength(1);
  });
});
