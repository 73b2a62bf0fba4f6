import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { seedPayer } from '@mg/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deriveSecretKey } from '../secrets/seal-secret.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { DiscardedObjects } from './discarded-objects.js';
import type { ObjectStore } from './file-objects.js';
import { StoredFiles } from './stored-files.js';

const KEY = deriveSecretKey('a key of thirty-two characters...');
const LINE = '{"custom_id":"one","said":"ä secret"}\n';

let test: TestDatabase;
let files: StoredFiles;
let walletId: string;
let otherId: string;
beforeAll(async () => {
  test = await openTestDatabase(3);
  files = new StoredFiles(test.database, KEY, { keepDays: 30 });
  ({ walletId } = await seedPayer(test.database, { balance: 1n }));
  ({ walletId: otherId } = await seedPayer(test.database, { balance: 1n }));
});
afterAll(() => test.stop());

const contentOf = (text: string, pieceBytes = 1_000) => {
  const bytes = Buffer.from(text);
  return {
    length: bytes.length,
    async *read() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    },
  };
};
const upload = (id: string, text = LINE, wallet = walletId, store = files) =>
  store.upload(wallet, { id, purpose: 'batch', filename: 'in.jsonl' }, contentOf(text));
const read = async (id: string, wallet = walletId, store = files) => {
  const facts = await store.find(wallet, id);
  if (!facts) return undefined;
  const pieces: Buffer[] = [];
  for await (const piece of store.read(wallet, facts)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};
const countParts = async (wallet: string) => {
  const [row] = await test.database.query<{ n: number }[]>(
    'select count(*)::int as n from stored_file_part where wallet_id = $1',
    [wallet],
  );
  return row?.n;
};

describe('stored files', () => {
  it('are read byte for byte with their wallet alone, and encrypted', async () => {
    const text = LINE.repeat(10_000);
    const made = await upload('file-a', text);
    expect(made).toMatchObject({ id: 'file-a', purpose: 'batch', bytes: Buffer.byteLength(text) });
    expect(await read('file-a')).toBe(text);
    expect(await files.find(otherId, 'file-a')).toBeUndefined();
    expect(await files.list(otherId, { limit: 10, order: 'desc' })).toEqual([]);
    expect(await files.delete(otherId, 'file-a')).toBe(false);
    const rows = await test.database.query<object[]>('select * from stored_file_part');
    expect(JSON.stringify(rows)).not.toContain('secret');
  });

  it('are listed in order and page by page', async () => {
    await upload('file-b');
    await upload('file-c');
    const list = async (page: object) =>
      (await files.list(walletId, { limit: 2, order: 'desc', ...page })).map(({ id }) => id);
    expect(await list({})).toEqual(['file-c', 'file-b']);
    expect(await list({ after: 'file-b' })).toEqual(['file-a']);
    expect(await list({ order: 'asc', after: 'file-a' })).toEqual(['file-b', 'file-c']);
    expect(await list({ purposes: ['batch_output'] })).toEqual([]);
    expect(await list({ purposes: ['user_data', 'batch'] })).toEqual(['file-c', 'file-b']);
    expect(await list({ after: 'file-unknown' })).toEqual([]);
  });

  it('go with all of their content', async () => {
    expect(await files.delete(walletId, 'file-a')).toBe(true);
    expect(await read('file-a')).toBeUndefined();
    expect(await countParts(walletId)).toBe(2);
  });

  it('of one wallet take so much room and no more, also when they come at once', async () => {
    const { walletId: flooder } = await seedPayer(test.database, { balance: 1n });
    const small = new StoredFiles(test.database, KEY, { keepDays: 30, maxWalletBytes: 2 * LINE.length });
    const outcomes = await Promise.allSettled(
      ['file-1', 'file-2', 'file-3', 'file-4'].map((id) => upload(id, LINE.slice(1), flooder, small)),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(2);
    expect(refused[0]?.reason).toMatchObject({ code: 'request_too_large', param: 'file' });
    // What a batch has made is kept all the same, and takes the place of what was written before.
    const result = { id: 'file-out', purpose: 'batch_output', filename: 'out.jsonl' };
    for (const text of [LINE, LINE + LINE]) await small.write(flooder, result, contentOf(text).read());
    expect(await read('file-out', flooder)).toBe(LINE + LINE);
  });

  it('that break off while they come leave nothing', async () => {
    const broken = {
      length: 2,
      async *read() {
        yield Buffer.from('a');
        throw new Error('the disk is gone');
      },
    };
    const file = { id: 'file-broken', purpose: 'batch', filename: 'x' };
    await expect(files.upload(walletId, file, broken)).rejects.toThrow('the disk is gone');
    expect(await files.find(walletId, 'file-broken')).toBeUndefined();
  });

  it('are gone once their time is over, and so is what a lost writer left', async () => {
    const { walletId: old } = await seedPayer(test.database, { balance: 1n });
    await upload('file-old', LINE, old);
    await upload('file-half', LINE, old);
    await upload('file-new', LINE, old);
    await test.database.query(
      `update stored_file set expires_at = now() - interval '1 second' where wallet_id = $1 and id = 'file-old'`,
      [old],
    );
    await test.database.query(
      `update stored_file set is_whole = false, created_at = now() - interval '25 hours'
        where wallet_id = $1 and id = 'file-half'`,
      [old],
    );
    expect(await files.find(old, 'file-old')).toBeUndefined();
    expect(await files.find(old, 'file-half')).toBeUndefined();
    await files.expire();
    expect(await countParts(old)).toBe(1);
  });
});

/** A result store in memory. */
class MemoryStore implements ObjectStore {
  readonly objects = new Map<string, Buffer>();
  isAway = false;
  /** Waited for once an object is kept, before its writer hears of it. */
  afterKeeping: () => Promise<void> = async () => undefined;

  async keep(name: string, _type: string, body: Readable): Promise<void> {
    if (this.isAway) throw new Error('the store is away');
    this.objects.set(name, await buffer(body));
    await this.afterKeeping();
  }

  async open(name: string) {
    if (this.isAway) throw new Error('the store is away');
    const bytes = this.objects.get(name);
    return { status: bytes ? 200 : 404, body: Readable.from(bytes ? [bytes] : []) };
  }

  async remove(name: string): Promise<void> {
    if (this.isAway) throw new Error('the store is away');
    this.objects.delete(name);
  }
}

describe('results, where there is a result store,', () => {
  const RESULTS = { id: 'file-out', purpose: 'batch_output', filename: 'out.jsonl' };
  const TEXT = LINE.repeat(10_000);
  let store: MemoryStore;
  let wallet: string;
  let failures: unknown[];
  beforeEach(async () => {
    await test.database.query('delete from discarded_object');
    store = new MemoryStore();
    failures = [];
    ({ walletId: wallet } = await seedPayer(test.database, { balance: 1n }));
  });

  const open = () =>
    new StoredFiles(test.database, KEY, {
      keepDays: 30,
      store,
      onStoreFailure: (error) => failures.push(error),
    });
  const writeResults = (to = open(), text = TEXT) =>
    to.writeResults(
      wallet,
      RESULTS,
      () => contentOf(text).read(),
      (step) => test.database.transaction(step),
    );
  const sweep = async () => {
    await open().expire();
    await test.database.query('update discarded_object set due_at = now()');
    await new DiscardedObjects(test.database, store).remove();
  };
  const countDiscarded = async () =>
    (await test.database.query<object[]>('select from discarded_object')).length;

  it('lie there, encrypted, and count as files of their wallet', async () => {
    expect(await writeResults()).toMatchObject({ id: 'file-out', bytes: Buffer.byteLength(TEXT) });
    expect(await countParts(wallet)).toBe(0);
    const [[name, sealed] = ['', Buffer.alloc(0)]] = store.objects;
    expect(name).toMatch(/^file_[0-9a-f-]{36}\.sealed$/);
    expect(sealed.includes('secret')).toBe(false);
    expect(await read('file-out', wallet, open())).toBe(TEXT);
    expect(await read('file-out', otherId, open())).toBeUndefined();
    const small = new StoredFiles(test.database, KEY, { keepDays: 30, maxWalletBytes: sealed.length, store });
    await expect(upload('file-more', TEXT, wallet, small)).rejects.toMatchObject({
      code: 'request_too_large',
    });
  });

  it('are refused when they were altered, cut or exchanged in the store', async () => {
    await writeResults();
    const [[name, sealed] = ['', Buffer.alloc(0)]] = store.objects;
    const part = 128 * 1024 + 28;
    const second = sealed.subarray(part, 2 * part);
    const altered = 'The sealed text was altered, or belongs to another row.';
    for (const [other, fault] of [
      [
        sealed.subarray(0, part),
        `The result store has ${128 * 1024} of ${Buffer.byteLength(TEXT)} bytes of a file.`,
      ],
      [Buffer.concat([second, sealed.subarray(0, part), sealed.subarray(2 * part)]), altered],
      [Buffer.concat([sealed.subarray(0, -1), Buffer.from([(sealed.at(-1) ?? 0) ^ 1])]), altered],
    ] as const) {
      store.objects.set(name, other);
      await expect(read('file-out', wallet, open())).rejects.toThrow(fault);
    }
  });

  it('are kept in Postgres while it is away, and those that it has are not there for now', async () => {
    await writeResults();
    store.isAway = true;
    const away = { code: 'service_unavailable', retryAfter: expect.any(Number) as number };
    await expect(read('file-out', wallet, open())).rejects.toMatchObject(away);
    await expect(read('file-out', wallet, files)).rejects.toMatchObject(away);
    expect(failures).toEqual([new Error('the store is away')]);
    const worker = open();
    await writeResults(worker, LINE);
    expect(failures).toHaveLength(2);
    expect(await read('file-out', wallet)).toBe(LINE);
    // It is not asked again for a while.
    await writeResults(worker, LINE + LINE);
    expect(failures).toHaveLength(2);
    expect(await read('file-out', wallet)).toBe(LINE + LINE);
  });

  it.each([
    ['is kept in the end', (end: PromiseWithResolvers<void>) => end.resolve()],
    ['is not kept in the end', (end: PromiseWithResolvers<void>) => end.reject(new Error('too late'))],
  ])('are whole and there once when a worker was lost whose object %s', async (_, finish) => {
    const end = Promise.withResolvers<void>();
    store.afterKeeping = () => end.promise;
    const lost = writeResults().catch((error: unknown) => error);
    await expect.poll(() => store.objects.size).toBe(1);
    expect(await read('file-out', wallet, open())).toBeUndefined();
    store.afterKeeping = async () => undefined;
    await writeResults();
    expect(store.objects.size).toBe(2);
    // One that was only slow takes nothing from the one that took over.
    finish(end);
    expect(await lost).toEqual(new Error('The file was deleted while it was written.'));
    await sweep();
    expect(store.objects.size).toBe(1);
    expect(await read('file-out', wallet, open())).toBe(TEXT);
  });

  it('are deleted there an hour after their file, and asked for until they are', async () => {
    await writeResults();
    await open().delete(wallet, 'file-out');
    await new DiscardedObjects(test.database, store).remove();
    expect(store.objects.size).toBe(1);
    store.isAway = true;
    await expect(sweep()).rejects.toThrow('the store is away');
    store.isAway = false;
    await sweep();
    expect([store.objects.size, await countDiscarded()]).toEqual([0, 0]);
  });

  it('go with their time, and so do those of a worker that never came back', async () => {
    await writeResults();
    await test.database.query(
      `update stored_file set is_whole = false, created_at = now() - interval '25 hours' where wallet_id = $1`,
      [wallet],
    );
    await sweep();
    await writeResults();
    await test.database.query(
      `update stored_file set expires_at = now() - interval '1 second' where wallet_id = $1`,
      [wallet],
    );
    await sweep();
    expect([store.objects.size, await countDiscarded()]).toEqual([0, 0]);
  });
});
