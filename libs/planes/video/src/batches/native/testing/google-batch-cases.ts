import { createGate } from '@mg/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { MODEL, type NativeBed } from './native-bed.js';

const ENDPOINT = `/models/${MODEL}:generateContent`;

/** Lines that are carried out as a batch of Google's, which is known by its name, and may end without results. */
export function describeGoogleBatches(get: () => NativeBed): void {
  describe("a batch of Google's", () => {
    beforeEach(() => get().reset({ type: 'gemini', endpoint: ENDPOINT, versionPath: '/v1beta' }));
    itIsMade(get);
    itIsUploaded(get);
    itEnds(get);
    itIsCancelled(get);
  });
}

function create(bed: NativeBed, id: string, count: number): Promise<void> {
  const how = { api: 'google_batch', endpoint: `/v1beta${ENDPOINT}` } as const;
  return bed.create(id, count, how, (text) => ({ contents: [{ role: 'user', parts: [{ text }] }] }));
}

/** Creations. */
function itIsMade(get: () => NativeBed): void {
  it('carries out all lines at once, each held for and settled once', async () => {
    const bed = get();
    await create(bed, 'google_a', 3);
    await bed.work(bed.openWorker('one'), bed.isOver);
    expect(await bed.states()).toEqual(Array(3).fill('succeeded'));
    expect(await bed.outcomes()).toEqual(['completed']);
    expect(bed.upstream.googleBatches.made).toMatchObject([{ model: MODEL, answered: 3 }]);
    const prepared = bed.gateway.of('prepare').map(({ requestId }) => requestId);
    const settled = bed.gateway.of('settle');
    expect(settled.map(({ requestId }) => requestId).toSorted()).toEqual(prepared.toSorted());
    expect(settled.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(bed.gateway.of('release')).toEqual([]);
  });

  it.each(['unanswered', 'broken'] as const)(
    'whose creation was %s is there once in the end',
    async (how) => {
      const bed = get();
      bed.upstream.googleBatches.behave({ create: how });
      await create(bed, 'google_b', 2);
      await bed.work(bed.openWorker('lost'), bed.isCreating);
      await bed.pass(600);
      await bed.work(bed.openWorker('second'), bed.isOver);
      expect(bed.upstream.googleBatches.made).toHaveLength(1);
      expect(await bed.states()).toEqual(['succeeded', 'succeeded']);
      expect(bed.gateway.of('settle')).toHaveLength(2);
    },
  );
}

/** Uploads. */
function itIsUploaded(get: () => NativeBed): void {
  it('whose requests would go to another server is made as calls', async () => {
    const bed = get();
    bed.upstream.googleBatches.uploadsAt = 'https://elsewhere.invalid';
    await create(bed, 'google_h', 2);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isOver);
    expect(await bed.outcomes()).toEqual(['refused']);
    await expect
      .poll(async () => (await worker.runner.fill(), bed.states()))
      .toEqual(['succeeded', 'succeeded']);
    expect(bed.gateway.calls).toHaveLength(2);
    expect(bed.gateway.of('release').map(({ lost }) => lost)).toEqual([undefined, undefined]);
    expect(bed.upstream.googleBatches.made).toEqual([]);
  });
}

/** Ends. */
function itEnds(get: () => NativeBed): void {
  it('has lines made as calls that failed for another reason than what they ask', async () => {
    const bed = get();
    const reply = (status: number) =>
      ({ failure: { kind: 'reply', status, body: { error: { message: 'no' } } } }) as const;
    bed.upstream.script(MODEL, reply(400), reply(429), {});
    await create(bed, 'google_c', 3);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isOver);
    await expect
      .poll(async () => (await worker.runner.fill(), bed.states()))
      .toEqual(['failed', 'succeeded', 'succeeded']);
    const settled = bed.gateway.of('settle').map(({ status }) => status);
    expect(settled.toSorted()).toEqual([200, 400]);
    expect(bed.gateway.calls).toHaveLength(1);
  });

  it.each([
    ['says nothing of a line', { silentAbout: 1 }, ['failed', 'succeeded'], 'completed', 1],
    ['has lost its results', { losesFiles: true }, ['failed', 'failed'], 'lost', 2],
    ['expired with answers', { expiresAfter: 1 }, ['failed', 'failed'], 'expired', 2],
  ] as const)(
    'that %s leaves it unknown, and it is not repeated',
    async (_, behaviour, wanted, outcome, lost) => {
      const bed = get();
      bed.upstream.googleBatches.behave(behaviour);
      await create(bed, 'google_d', 2);
      await bed.work(bed.openWorker('one'), bed.isOver);
      expect(await bed.outcomes()).toEqual([outcome]);
      expect(await bed.states()).toEqual(wanted);
      expect(bed.gateway.of('release').filter((step) => step.lost)).toHaveLength(lost);
      expect(bed.gateway.calls).toEqual([]);
    },
  );

  it('that expired before any answer is made as calls', async () => {
    const bed = get();
    bed.upstream.googleBatches.behave({ expiresAfter: 0 });
    await create(bed, 'google_e', 2);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isOver);
    await expect
      .poll(async () => (await worker.runner.fill(), bed.states()))
      .toEqual(['succeeded', 'succeeded']);
    expect(bed.gateway.calls).toHaveLength(2);
  });
}

/** Cancellations. */
function itIsCancelled(get: () => NativeBed): void {
  it("is cancelled with its caller's while it has no answer", async () => {
    const bed = get();
    const { wait, open } = createGate();
    bed.upstream.googleBatches.behave({ wait });
    await create(bed, 'google_f', 2);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isRunning);
    await bed.batches.cancel(bed.walletId, 'google_batch', 'google_f');
    await bed.work(worker, async () =>
      bed.upstream.googleBatches.made.some(({ isCancelled }) => isCancelled),
    );
    open();
    await bed.work(worker, bed.isOver);
    expect(await bed.outcomes()).toEqual(['cancelled']);
    expect(bed.gateway.of('release').map(({ lost }) => lost)).toEqual([undefined, undefined]);
  });

  it('is not cancelled once it has an answer, which could not be charged', async () => {
    const bed = get();
    const { wait, open } = createGate();
    bed.upstream.script(MODEL, {}, { wait });
    await create(bed, 'google_g', 2);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isRunning);
    await expect.poll(() => bed.upstream.googleBatches.made.at(-1)?.answered).toBe(1);
    await bed.batches.cancel(bed.walletId, 'google_batch', 'google_g');
    await bed.hurry();
    await worker.native.stepDue();
    open();
    await bed.work(worker, bed.isOver);
    expect(bed.upstream.googleBatches.made).toMatchObject([{ isCancelled: false }]);
    expect(await bed.states()).toEqual(['succeeded', 'succeeded']);
    expect(bed.gateway.of('settle')).toHaveLength(2);
  });
}
