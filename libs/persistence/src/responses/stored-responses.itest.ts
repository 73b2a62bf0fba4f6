import { randomBytes } from 'node:crypto';
import { newId } from '@mg/contract';
import { seedPayer } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveSecretKey } from '../secrets/seal-secret.js';
import { measureTexts } from '../testing/measure-texts.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { type NewResponse, StoredResponses } from './stored-responses.js';

const KEY = deriveSecretKey('a key of thirty-two characters...');
const SECRET = 'what was said';

let test: TestDatabase;
let responses: StoredResponses;
let walletId: string;
let otherId: string;
beforeAll(async () => {
  test = await openTestDatabase(2);
  responses = new StoredResponses(test.database, KEY);
  ({ walletId } = await seedPayer(test.database, { balance: 1n }));
  ({ walletId: otherId } = await seedPayer(test.database, { balance: 1n }));
});
afterAll(() => test.stop());

const make = (id: string, previousId?: string, text = SECRET): NewResponse => ({
  id,
  previousId,
  itemIds: [`msg_${id}`],
  input: [{ role: 'user', content: text }],
  response: { id, output: [{ id: `msg_${id}`, type: 'message' }] },
});

const count = async (wallet: string) => {
  const [row] = await test.database.query<{ n: number }[]>(
    'select count(*)::int as n from stored_response where wallet_id = $1',
    [wallet],
  );
  return row?.n;
};

describe('stored responses', () => {
  it('are read with their wallet alone, and encrypted', async () => {
    expect(await responses.keep(walletId, make('resp_a'))).toBe(true);
    expect(await responses.find(walletId, 'resp_a')).toMatchObject({ response: { id: 'resp_a' } });
    expect(await responses.find(otherId, 'resp_a')).toBeUndefined();
    expect(await responses.findConversation(otherId, 'resp_a')).toBe('missing');
    expect(await responses.findByItems(otherId, ['msg_resp_a'])).toEqual([]);
    expect(await responses.delete(otherId, 'resp_a')).toBeUndefined();
    const rows = await test.database.query<object[]>('select * from stored_response');
    expect(JSON.stringify(rows)).not.toContain(SECRET);
    const another = new StoredResponses(test.database, deriveSecretKey('another key of as many characters'));
    expect(await another.find(walletId, 'resp_a')).toBeUndefined();
  });

  it('do not open in the row of another wallet', async () => {
    await test.database.query(
      `insert into stored_response (wallet_id, id, item_ids, bytes, sealed)
       select $2, id, item_ids, bytes, sealed from stored_response where wallet_id = $1 and id = 'resp_a'`,
      [walletId, otherId],
    );
    expect(await responses.find(otherId, 'resp_a')).toBeUndefined();
    await responses.delete(otherId, 'resp_a');
  });

  it('are a conversation in order, as long as all of it is there', async () => {
    await responses.keep(walletId, make('resp_b', 'resp_a'));
    await responses.keep(walletId, make('resp_c', 'resp_b'));
    const turns = await responses.findConversation(walletId, 'resp_c');
    expect(turns).toMatchObject([
      { response: { id: 'resp_a' } },
      { response: { id: 'resp_b' } },
      { response: { id: 'resp_c' } },
    ]);
    expect(await responses.findByItems(walletId, ['msg_resp_b', 'msg_x'])).toHaveLength(1);
    expect(await responses.delete(walletId, 'resp_a')).toEqual({ heldBy: undefined });
    expect(await responses.findConversation(walletId, 'resp_c')).toBe('missing');
  });

  it('remember who keeps them upstream, as long as they were kept there last', async () => {
    const heldBy = { channelId: newId(), keyHash: 'hash' };
    await responses.keep(walletId, { ...make('resp_held'), heldBy });
    await responses.keep(walletId, { ...make('resp_next', 'resp_held'), heldBy });
    const turns = await responses.findConversation(walletId, 'resp_next');
    expect(turns).toMatchObject([{ heldBy }, { heldBy }]);
    await responses.keep(walletId, make('resp_next', 'resp_held'));
    expect(await responses.delete(walletId, 'resp_next')).toEqual({ heldBy: undefined });
    expect(await responses.delete(walletId, 'resp_held')).toEqual({ heldBy });
  });

  it('that go on from themselves are a conversation that is too long, not one without end', async () => {
    await responses.keep(walletId, make('resp_loop', 'resp_loop'));
    expect(await responses.findConversation(walletId, 'resp_loop')).toBe('too-long');
  });

  it('that hold too much to be read are missing, and so is what goes on from them', async () => {
    const json = {
      write: async (value: unknown) => Buffer.from(JSON.stringify(value)),
      read: async () => undefined,
    };
    const narrow = new StoredResponses(test.database, KEY, { json });
    await narrow.keep(walletId, make('resp_wide'));
    expect(await narrow.find(walletId, 'resp_wide')).toBeUndefined();
    expect(await narrow.findConversation(walletId, 'resp_wide')).toBe('missing');
  });

  it('are not read where they are more than a request may hold', async () => {
    const text = 'x'.repeat(1_200_000);
    for (let turn = 0; turn < 6; turn++) {
      await responses.keep(walletId, make(`resp_${turn}`, turn === 0 ? undefined : `resp_${turn - 1}`, text));
    }
    expect(await responses.findConversation(walletId, 'resp_2')).toHaveLength(3);
    expect(await responses.findConversation(walletId, 'resp_5')).toBe('too-long');
    expect(await responses.keep(walletId, make('resp_long', undefined, text.repeat(5)))).toBe(false);
  });

  it('M5: that hold much are read in turns, the same as those that hold little', async () => {
    const turns: string[] = [];
    const takeTurn = () => {
      turns.push('begun');
      return Promise.resolve(() => void turns.push('ended'));
    };
    const inTurns = new StoredResponses(test.database, KEY, { takeTurn });
    const long = randomBytes(600_000).toString('base64');
    await inTurns.keep(walletId, make('resp_little'));
    await inTurns.keep(walletId, make('resp_much', 'resp_little', long));
    await inTurns.keep(walletId, make('resp_after', 'resp_much'));
    const little = await inTurns.findConversation(walletId, 'resp_little');
    expect([little, turns]).toEqual([[expect.objectContaining({ input: make('x').input })], []]);
    expect(await inTurns.findConversation(walletId, 'resp_after')).toEqual([
      expect.objectContaining({ input: make('x').input }),
      expect.objectContaining({ input: make('x', '', long).input }),
      expect.objectContaining({ input: make('x').input }),
    ]);
    expect(await inTurns.find(walletId, 'resp_much')).toMatchObject({ response: { id: 'resp_much' } });
    const found = await inTurns.findByItems(walletId, ['msg_resp_much', 'msg_resp_after']);
    expect(found.map(({ response }) => (response as { id: string }).id)).toEqual(['resp_after', 'resp_much']);
    expect(turns).toEqual(['begun', 'ended', 'begun', 'ended', 'begun', 'ended']);
    for (const id of ['resp_little', 'resp_much', 'resp_after']) await inTurns.delete(walletId, id);
  });

  it('of megabytes reach the database as bytes, and come from it some parts at a time', async () => {
    const long = randomBytes(1_000_000).toString('base64');
    const found: unknown[] = [];
    const { longest, answer } = await measureTexts(test.database, async () => {
      await responses.keep(walletId, make('resp_long_1', undefined, long));
      await responses.keep(walletId, make('resp_long_2', 'resp_long_1', long));
      found.push(await responses.findConversation(walletId, 'resp_long_2'));
      found.push(await responses.findByItems(walletId, ['msg_resp_long_1', 'msg_resp_long_2']));
    });
    const turn = expect.objectContaining({ input: make('x', '', long).input });
    expect(found).toEqual([
      [turn, turn],
      [turn, turn],
    ]);
    // What V8 keeps in a place of its own, and what the network brings in some turns of the event loop.
    expect(longest).toBeLessThanOrEqual(128 * 1024);
    expect(answer).toBeLessThanOrEqual(512 * 1024);
    for (const id of ['resp_long_1', 'resp_long_2']) await responses.delete(walletId, id);
  });

  it('of one wallet take so much room and no more: the oldest go', async () => {
    const { walletId: flooder } = await seedPayer(test.database, { balance: 1n });
    const small = new StoredResponses(test.database, KEY, { maxWalletBytes: 64 * 1024 });
    for (let made = 0; made < 100; made++) {
      await small.keep(flooder, make(`resp_${made}`, undefined, 'x'.repeat(4_000)));
    }
    expect(await count(flooder)).toBeLessThan(30);
    expect(await small.find(flooder, 'resp_99')).toBeDefined();
    expect(await small.find(flooder, 'resp_0')).toBeUndefined();
  });

  it('are forgotten after so many days', async () => {
    const { walletId: old } = await seedPayer(test.database, { balance: 1n });
    await responses.keep(old, make(`resp_${newId()}`));
    await responses.keep(old, make('resp_new'));
    await test.database.query(
      `update stored_response set created_at = now() - interval '31 days' where wallet_id = $1 and id <> 'resp_new'`,
      [old],
    );
    await responses.expire(30);
    expect(await count(old)).toBe(1);
  });
});
