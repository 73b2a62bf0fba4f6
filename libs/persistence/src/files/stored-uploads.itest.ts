import { seedPayer } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveSecretKey } from '../secrets/seal-secret.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { StoredFiles } from './stored-files.js';
import { StoredUploads, type UploadFacts } from './stored-uploads.js';

const KEY = deriveSecretKey('a key of thirty-two characters...');

let test: TestDatabase;
let files: StoredFiles;
let uploads: StoredUploads;
let walletId: string;
let otherId: string;
beforeAll(async () => {
  test = await openTestDatabase(3);
  files = new StoredFiles(test.database, KEY, { keepDays: 30 });
  uploads = new StoredUploads(test.database, files);
  ({ walletId } = await seedPayer(test.database, { balance: 1n }));
  ({ walletId: otherId } = await seedPayer(test.database, { balance: 1n }));
});
afterAll(() => test.stop());

let count = 0;
const contentOf = (text: string) => {
  const bytes = Buffer.from(text);
  return {
    length: bytes.length,
    async *read() {
      yield bytes;
    },
  };
};
const begin = (bytes: number, wallet = walletId) =>
  uploads.create(wallet, {
    id: `upload_${count++}`,
    purpose: 'batch',
    filename: 'in.jsonl',
    bytes,
    keepSeconds: 7_200,
  });
const add = (upload: UploadFacts, text: string) =>
  uploads.addPart(walletId, upload, `part_${count++}`, contentOf(text));
const complete = (upload: UploadFacts, partIds: readonly string[]) =>
  uploads.complete(walletId, upload, { fileId: `file-${count++}`, partIds, md5: undefined });
const countParts = async () => {
  const [row] = await test.database.query<{ n: number }[]>(
    'select count(*)::int as n from stored_file where upload_id is not null',
  );
  return row?.n;
};

describe('stored uploads', () => {
  it('become one file, which is kept as long as was said, and leave no part', async () => {
    const upload = await begin(5);
    const [first, second, left] = [await add(upload, 'ab'), await add(upload, 'cde'), await add(upload, 'x')];
    expect(await files.find(walletId, left.id)).toBeUndefined();
    expect(await files.list(walletId, { limit: 10, order: 'desc' })).toEqual([]);
    const made = await complete(upload, [second.id, first.id]);
    if (!made) throw new Error('it was not pending');
    const pieces: Buffer[] = [];
    for await (const piece of files.read(walletId, made)) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('cdeab');
    expect(made.expiresAt.getTime() - made.createdAt.getTime()).toBe(7_200_000);
    expect(await uploads.find(walletId, upload.id)).toMatchObject({ state: 'completed', fileId: made.id });
    expect(await countParts()).toBe(0);
    expect(await complete(upload, [first.id])).toBeUndefined();
  });

  it('that are completed twice at once become one file', async () => {
    const upload = await begin(2);
    const part = await add(upload, 'ab');
    const made = await Promise.all([complete(upload, [part.id]), complete(upload, [part.id])]);
    expect(made.filter((file) => file !== undefined)).toHaveLength(1);
  });

  it('are not there for another wallet, nor is what belongs to another upload', async () => {
    const upload = await begin(2);
    const foreign = await begin(2);
    const part = await add(foreign, 'ab');
    expect(await uploads.find(otherId, upload.id)).toBeUndefined();
    expect(await uploads.cancel(otherId, upload.id)).toBe(false);
    await expect(complete(upload, [part.id])).rejects.toMatchObject({ param: 'part_ids[0]' });
    expect(await uploads.find(walletId, upload.id)).toMatchObject({ state: 'pending' });
  });

  it('are gone within the hour, with their parts', async () => {
    const upload = await begin(2);
    const part = await add(upload, 'ab');
    expect(part.expiresAt.getTime() - upload.expiresAt.getTime()).toBeLessThan(2_000);
    await test.database.query(
      `update stored_upload set expires_at = now() - interval '1 second' where id = $1`,
      [upload.id],
    );
    await test.database.query(
      `update stored_file set expires_at = now() - interval '1 second' where id = $1`,
      [part.id],
    );
    expect(await uploads.find(walletId, upload.id)).toBeUndefined();
    expect(await complete(upload, [part.id])).toBeUndefined();
    await Promise.all([uploads.expire(), files.expire()]);
    const left = await test.database.query('select id from stored_upload where id = $1', [upload.id]);
    const parts = await test.database.query('select id from stored_file where id = $1', [part.id]);
    expect([left, parts]).toEqual([[], []]);
  });

  it('of one wallet are so many within the hour and no more', async () => {
    const { walletId: flooder } = await seedPayer(test.database, { balance: 1n });
    await test.database.query(
      `insert into stored_upload (wallet_id, id, purpose, filename, bytes, expires_at)
       select $1, 'flood_' || n, 'batch', 'x', 1, now() + interval '1 hour' from generate_series(1, 999) n`,
      [flooder],
    );
    await begin(1, flooder);
    await expect(begin(1, flooder)).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
