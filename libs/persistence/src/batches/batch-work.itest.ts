import { newId, sha256 } from '@mg/contract';
import { seedPayer } from '@mg/testkit';
import { EntityManager } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoredFiles } from '../files/stored-files.js';
import { reencryptBodies } from '../secrets/reencrypt-bodies.js';
import { deriveSecretKey } from '../secrets/seal-secret.js';
import { measureTexts } from '../testing/measure-texts.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { repeatOverdue } from '../testing/repeat-overdue.js';
import { DueWork } from '../tasks/due-work.js';
import { BatchWork, type EndedLine } from './batch-work.js';
import { UpstreamBatches } from './upstream-batches.js';
import { WalletBatches } from './wallet-batches.js';

const OLD = 'a key of thirty-two characters...';
const NEW = 'the key after, of thirty-two letters';
const KEY = deriveSecretKey(OLD);
const SECRET = 'what is asked';
const END = { cancelled: 0, expired: 0, outputFileId: undefined, errorFileId: undefined } as const;

let test: TestDatabase;
let batches: WalletBatches;
let walletId: string;
const work = (worker: string) => new BatchWork(test.database, KEY, worker);

beforeAll(async () => {
  test = await openTestDatabase(8);
  batches = new WalletBatches(test.database, KEY);
});
beforeEach(async () => {
  await test.database.query('delete from batch');
  ({ walletId } = await seedPayer(test.database, { balance: 1n }));
});
afterAll(() => test.stop());

const name = (id: string, wallet = walletId) => ({
  id,
  walletId: wallet,
  tokenId: newId(),
  keyHash: sha256('sk-key'),
  api: 'batch' as const,
  endpoint: '/v1/chat/completions',
  details: { metadata: { for: 'tests' } },
  headers: { 'anthropic-beta': 'of-the-tests' },
  windowSeconds: 86_400,
});
const create = (id: string, lines: number, wallet = walletId) =>
  batches.createWithLines(
    name(id, wallet),
    Array.from({ length: lines }, (_, at) => ({
      tag: `line-${at + 1}`,
      body: Buffer.from(`{"said":"${SECRET}"}`),
    })),
  );
const addChannel = async () => {
  const id = newId();
  await test.database.query(`insert into channel (id, name, type) values ($1, $2, 'openai')`, [id, id]);
  return id;
};
const runnable = async (worker: BatchWork, id: string) => {
  const batch = (await worker.findRunnable()).find((found) => found.id === id);
  if (!batch) throw new Error(`${id} is not to be run`);
  return batch;
};
const claim = async (worker: BatchWork, id: string, limit = 10) =>
  worker.claimLines(await runnable(worker, id), limit);
const numbers = (lines: readonly { readonly line: number }[]) => lines.map(({ line }) => line).toSorted();
const loseWorkers = () =>
  test.database.query(
    `update batch_line set claimed_until = now() - interval '1 second' where claimed_by is not null`,
  );
const find = (id: string) => batches.find(walletId, 'batch', id);

describe('batches', () => {
  it('are found with their wallet alone, their requests encrypted', async () => {
    const made = await create('batch_a', 3);
    expect(made).toMatchObject({
      state: 'in_progress',
      counts: { total: 3 },
      details: { metadata: { for: 'tests' } },
    });
    const { walletId: other } = await seedPayer(test.database, { balance: 1n });
    expect(await batches.find(other, 'batch', 'batch_a')).toBeUndefined();
    expect(await batches.find(walletId, 'message_batch', 'batch_a')).toBeUndefined();
    expect(await batches.cancel(other, 'batch', 'batch_a')).toBeUndefined();
    expect(await batches.list(other, { api: 'batch', limit: 10 })).toEqual([]);
    expect(await batches.delete(walletId, 'batch', 'batch_a')).toBe(false);
    expect(JSON.stringify(await test.database.query('select * from batch_line'))).not.toContain(SECRET);
  });

  it.each<[string, number, object, number]>([
    ['many', 400, {}, 8],
    ['few and say much of their requests', 150, { note: 'x'.repeat(16_000) }, 4],
  ])('M5: are written in steps where their lines are %s', async (_, count, tag, steps) => {
    let pauses = 0;
    const stepwise = new WalletBatches(test.database, KEY, async () => void pauses++);
    const query = vi.spyOn(EntityManager.prototype, 'query');
    const lines = Array.from({ length: count }, () => ({ tag, body: Buffer.from('{}') }));
    expect(await stepwise.createWithLines(name('batch_a'), lines)).toMatchObject({
      counts: { total: count },
    });
    const inserts = query.mock.calls.filter(([sql]) => sql.includes('insert into batch_line'));
    query.mockRestore();
    expect(inserts.length).toBeGreaterThanOrEqual(2);
    expect(pauses).toBeGreaterThanOrEqual(steps);
  });

  it('M5: are read in steps, however short their lines are', async () => {
    await create('batch_a', 150);
    let pauses = 0;
    const stepwise = new BatchWork(test.database, KEY, 'w', async () => void pauses++);
    expect(await stepwise.readLines('batch_a', 0)).toHaveLength(150);
    expect(pauses).toBeGreaterThanOrEqual(5);
  });

  it('are listed page by page, in both directions', async () => {
    for (const id of ['batch_1', 'batch_2', 'batch_3', 'batch_4']) await batches.create(name(id));
    const list = async (page: object) =>
      (await batches.list(walletId, { api: 'batch', limit: 2, ...page })).map(({ id }) => id);
    expect(await list({})).toEqual(['batch_4', 'batch_3']);
    expect(await list({ after: 'batch_3' })).toEqual(['batch_2', 'batch_1']);
    expect(await list({ before: 'batch_1' })).toEqual(['batch_3', 'batch_2']);
    expect(await list({ after: 'batch_unknown' })).toEqual([]);
  });

  it('of one wallet are 20 at once, however many come together', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 24 }, (_, at) => repeatOverdue(() => batches.create(name(`batch_${at}`)))),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(4);
    expect(refused[0]?.reason).toMatchObject({ code: 'rate_limited' });
  });
});

describe('lines', () => {
  it('are encrypted anew with the key that came after', async () => {
    await create('batch_a', 2);
    await reencryptBodies(test.database, deriveSecretKey(NEW, OLD));
    const rotated = new BatchWork(test.database, deriveSecretKey(NEW), 'w');
    const claimed = await claim(rotated, 'batch_a');
    expect(claimed.map(({ request }) => String(request?.body))).toEqual(
      Array(2).fill(`{"said":"${SECRET}"}`),
    );
  });

  it('that a provider is to be sent are encrypted anew too, what it is sent among them', async () => {
    await create('batch_a', 1);
    await claim(work('w'), 'batch_a');
    const place = { batchId: 'batch_a', line: 1 };
    const route = { channelId: await addChannel(), keyFingerprint: 'key', upstreamModel: 'model' };
    const upstream = new UpstreamBatches(test.database, KEY, 'w');
    await upstream.noteRequest(place, newId());
    const offered = {
      ...place,
      walletId,
      route,
      endpoint: '/responses',
      held: {},
      bytes: Buffer.from(SECRET),
    };
    expect(await upstream.park(offered)).toBe(true);
    await reencryptBodies(test.database, deriveSecretKey(NEW, OLD));
    const rotated = new UpstreamBatches(test.database, deriveSecretKey(NEW), 'w');
    await test.database.query('update upstream_batch set next_run_at = now()');
    const batch = await rotated.claim();
    expect(batch && String(await rotated.readUpload(batch, 1))).toBe(SECRET);
    expect(batch && String((await rotated.listLines(batch, 0))[0]?.request?.body)).toContain(SECRET);
  });

  it('are claimed by one of many workers each', async () => {
    await create('batch_a', 40);
    const workers = Array.from({ length: 4 }, (_, at) => work(`w${at}`));
    const claimed = await Promise.all(workers.map((worker) => claim(worker, 'batch_a')));
    expect(claimed[0]?.[0]?.batch.headers).toEqual({ 'anthropic-beta': 'of-the-tests' });
    expect(numbers(claimed.flat())).toHaveLength(40);
    expect(new Set(numbers(claimed.flat())).size).toBe(40);
    expect(claimed[0]?.[0]?.request).toMatchObject({
      tag: expect.stringMatching(/^line-\d+$/),
      body: Buffer.from(`{"said":"${SECRET}"}`),
    });
  });

  it('are counted once, also when two workers report the same one', async () => {
    await create('batch_a', 2);
    await claim(work('a'), 'batch_a');
    await loseWorkers();
    expect(await claim(work('b'), 'batch_a')).toHaveLength(2);
    await Promise.all(
      ['a', 'b'].flatMap((worker) => [
        work(worker).endLine({ batchId: 'batch_a', line: 1 }, 'succeeded', [Buffer.from('{}')]),
        work(worker).endLine({ batchId: 'batch_a', line: 2 }, 'failed', [Buffer.from('{}')]),
      ]),
    );
    expect((await find('batch_a'))?.counts).toMatchObject({ succeeded: 1, failed: 1 });
  });

  it('of unknown outcome are asked for again, also when the batch was cancelled; others are not', async () => {
    await create('batch_a', 3);
    const worker = work('a');
    const [first, second] = await claim(worker, 'batch_a', 2);
    if (!first || !second) throw new Error('nothing was claimed');
    await worker.postpone(first, { seconds: 0, isKnown: false, isCounted: true });
    await worker.postpone(second, { seconds: 0, isKnown: true, isCounted: false });
    await batches.cancel(walletId, 'batch', 'batch_a');
    expect(await worker.claimBatch()).toBeUndefined();
    const again = await claim(work('b'), 'batch_a');
    expect(again.map(({ line, attempt }) => [line, attempt])).toEqual([[first.line, 2]]);
    await work('b').endLine({ batchId: 'batch_a', line: first.line }, 'succeeded', [Buffer.from('{}')]);
    expect(await worker.claimBatch()).toMatchObject({ id: 'batch_a', state: 'finalizing' });
  });

  it('wait while their batch is paused', async () => {
    await create('batch_a', 1);
    await work('a').pause('batch_a', 60);
    expect(await work('a').findRunnable()).toEqual([]);
  });

  it('of wallets take turns', async () => {
    const { walletId: other } = await seedPayer(test.database, { balance: 1n });
    await create('batch_a', 4);
    await create('batch_b', 4);
    await create('batch_c', 4, other);
    const worker = work('a');
    const order: string[] = [];
    for (let round = 0; round < 4; round++) {
      const [batch] = await worker.findRunnable();
      if (!batch) throw new Error('nothing is to be run');
      order.push(batch.id);
      await worker.claimLines(batch, 1);
    }
    expect(order.filter((id) => id === 'batch_c').length).toBeGreaterThanOrEqual(1);
    expect(new Set(order)).toEqual(new Set(['batch_a', 'batch_b', 'batch_c']));
  });
});

describe('the end of a batch', () => {
  it('comes once, by one worker, when all of its lines are over', async () => {
    const isWork = async () => (await new DueWork(test.database).find()).batches;
    expect(await isWork()).toBe(false);
    await create('batch_a', 1);
    expect(await isWork()).toBe(true);
    expect(await work('a').claimBatch()).toBeUndefined();
    await claim(work('a'), 'batch_a');
    await work('a').endLine({ batchId: 'batch_a', line: 1 }, 'succeeded', [Buffer.from('{"id":1}')]);
    const claims = await Promise.all([work('a').claimBatch(), work('b').claimBatch()]);
    expect(claims.filter((claimed) => claimed !== undefined)).toHaveLength(1);
    const worker = work(claims[0] ? 'a' : 'b');
    expect(await worker.readLines('batch_a', 0)).toEqual([
      { line: 1, state: 'succeeded', text: Buffer.from('{"id":1}') },
    ]);
    await worker.end('batch_a', { ...END, state: 'completed' });
    expect(await find('batch_a')).toMatchObject({ state: 'completed', counts: { total: 1, succeeded: 1 } });
    expect(await test.database.query('select * from batch_line')).toEqual([]);
    expect(await isWork()).toBe(false);
  });

  it('comes when its time is over: what was not sent has expired', async () => {
    await create('batch_a', 2);
    await test.database.query(`update batch set expires_at = now() - interval '1 second'`);
    expect(await claim(work('a'), 'batch_a')).toEqual([]);
    expect(await work('a').claimBatch()).toMatchObject({ state: 'finalizing' });
    await work('a').end('batch_a', { ...END, state: 'expired', expired: 2 });
    expect((await find('batch_a'))?.counts).toMatchObject({ total: 2, expired: 2 });
  });

  it('is taken over from a worker that was lost', async () => {
    await batches.create(name('batch_a'));
    expect(await work('a').claimBatch()).toMatchObject({ state: 'validating' });
    expect(await work('b').claimBatch()).toBeUndefined();
    await work('a').release();
    expect(await work('b').claimBatch()).toMatchObject({ state: 'validating' });
    await work('a').begin('batch_a', 5);
    expect(await find('batch_a')).toMatchObject({ state: 'validating' });
    await work('b').fail('batch_a', [
      { code: 'empty_file', message: 'It is empty.', line: null, param: null },
    ]);
    expect(await find('batch_a')).toMatchObject({ state: 'failed', errors: [{ code: 'empty_file' }] });
  });

  it('is not undone by a worker that validates while it is called off', async () => {
    await batches.create(name('batch_a'));
    await work('a').claimBatch();
    await work('a').addLines('batch_a', 1, [{ tag: 'one', body: Buffer.from('{}') }]);
    await batches.cancel(walletId, 'batch', 'batch_a');
    await work('a').begin('batch_a', 1);
    expect(await work('b').claimBatch()).toMatchObject({ state: 'finalizing' });
  });

  it('leaves its results as they are when a worker that was frozen goes on after it', async () => {
    await create('batch_a', 1);
    await claim(work('a'), 'batch_a');
    await work('a').endLine({ batchId: 'batch_a', line: 1 }, 'succeeded', [Buffer.from('{}')]);
    const files = new StoredFiles(test.database, KEY, { keepDays: 30 });
    const file = { id: 'file-a-output', purpose: 'batch_output', filename: 'out.jsonl' };
    const write = (worker: string, readLines: () => Promise<Buffer[]>) =>
      files.writeResults(
        walletId,
        file,
        async function* read() {
          yield* await readLines();
        },
        (step) => work(worker).whileClaimed('batch_a', step),
      );
    const begun = Promise.withResolvers<void>();
    const thawed = Promise.withResolvers<Buffer[]>();
    await work('a').claimBatch();
    const frozen = write('a', () => {
      begun.resolve();
      return thawed.promise;
    }).catch((error: unknown) => error);
    await begun.promise;
    await work('a').release();
    await work('b').claimBatch();
    await write('b', async () => [Buffer.from('{}\n')]);
    await work('b').end('batch_a', { ...END, state: 'completed', outputFileId: file.id });
    // The lines are gone by now.
    thawed.resolve([]);
    const taken = new Error('The batch was taken over by another worker.');
    expect(await frozen).toEqual(taken);
    await expect(write('a', async () => [])).rejects.toEqual(taken);
    expect(await files.find(walletId, file.id)).toMatchObject({ bytes: 3 });
  });

  it('is followed by its removal, after so many days or by its caller', async () => {
    await create('batch_a', 1);
    await create('batch_b', 1);
    await test.database.query(
      `update batch set state = 'completed', ended_at = now() - interval '31 days' where id = 'batch_a'`,
    );
    await test.database.query(`update batch set state = 'completed', ended_at = now() where id = 'batch_b'`);
    await batches.expire(30);
    expect(await find('batch_a')).toBeUndefined();
    expect(await batches.delete(walletId, 'batch', 'batch_b')).toBe(true);
  });
});

it('texts of megabytes reach the database as bytes, and come from it in parts', async () => {
  const body = Buffer.from(JSON.stringify({ said: 'x'.repeat(1_000_000) }));
  const requests = [body, Buffer.from('{}'), body].map((given, at) => ({ tag: `line-${at}`, body: given }));
  const asked: unknown[] = [];
  const read: EndedLine[] = [];
  const { longest } = await measureTexts(test.database, async () => {
    await batches.createWithLines(name('batch_long'), requests);
    const worker = work('w');
    const claimed = await worker.claimLines(await runnable(worker, 'batch_long'), 10);
    for (const { line, request } of claimed.toSorted((one, other) => one.line - other.line)) {
      asked.push([request?.tag, request?.body.toString()]);
      const result = [Buffer.from('{"answer":'), body, Buffer.from('}')];
      await worker.endLine({ batchId: 'batch_long', line }, 'succeeded', result);
    }
    for (let after = 0; after < 3; after = read.length)
      read.push(...(await worker.readLines('batch_long', after)));
  });
  expect(asked).toEqual(requests.map(({ tag, body: given }) => [tag, given.toString()]));
  expect(read.map(({ line, text }) => [line, text?.toString()])).toEqual(
    [1, 2, 3].map((line) => [line, `{"answer":${body.toString()}}`]),
  );
  expect(longest).toBeLessThanOrEqual(256 * 1024);
});

it('lines of hundreds of kilobytes are read with pauses in between, however many come together', async () => {
  const body = Buffer.alloc(90_000, 'x');
  await batches.createWithLines(
    name('batch_wide'),
    Array.from({ length: 20 }, () => ({ tag: 'line', body })),
  );
  let pauses = 0;
  const worker = new BatchWork(test.database, KEY, 'w', async () => void pauses++);
  expect(await worker.readLines('batch_wide', 0)).toHaveLength(20);
  expect(pauses).toBeGreaterThanOrEqual(19);
  pauses = 0;
  expect(await worker.claimLines(await runnable(worker, 'batch_wide'), 20)).toHaveLength(20);
  expect(pauses).toBeGreaterThanOrEqual(19);
});
