import { newId } from '@mg/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOLD } from '../../testing/fake-gateway.js';
import { describeGoogleBatches } from './testing/google-batch-cases.js';
import { describeMessageBatches } from './testing/message-batch-cases.js';
import { MODEL, NativeBed, OTHER_MODEL } from './testing/native-bed.js';

let bed: NativeBed;
beforeAll(async () => {
  bed = await NativeBed.start();
});
beforeEach(() => bed.reset({ type: 'openai', endpoint: '/chat/completions' }));
afterEach(() => bed.closeWorkers());
afterAll(() => bed.stop());

describe("a batch of the provider's", () => {
  it('carries out all lines at once, each held for and settled once', async () => {
    await bed.create('batch_a', 3);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isOver);
    expect(await bed.states()).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(await bed.outcomes()).toEqual(['completed']);
    expect(bed.upstream.batches.made).toHaveLength(1);
    const [made] = bed.upstream.batches.made;
    expect(made?.metadata).toEqual({ gateway_batch: expect.any(String) });
    const prepared = bed.gateway.of('prepare').map(({ requestId }) => requestId);
    expect(made?.lines.map(({ customId }) => customId.split('_')[1]).toSorted()).toEqual(prepared.toSorted());
    const settled = bed.gateway.of('settle').map(({ requestId, hold }) => [requestId, hold]);
    expect(settled.toSorted()).toEqual(prepared.toSorted().map((id) => [id, HOLD]));
    expect(bed.gateway.of('release')).toEqual([]);
    expect(bed.gateway.calls).toEqual([]);
    const [kept] = await bed.database.query<{ sealed: number }[]>(
      'select count(upstream_sealed)::int as sealed from batch_line',
    );
    expect(kept?.sealed).toBe(0);
  });

  it.each(['unanswered', 'broken'] as const)(
    'whose creation was %s when its worker was lost is there once in the end',
    async (create_) => {
      bed.upstream.batches.behave({ create: create_ });
      await bed.create('batch_b', 2);
      const first = bed.openWorker('lost');
      await bed.work(first, bed.isCreating);
      const second = bed.openWorker('second');
      await bed.hurry();
      await second.native.stepDue();
      // It may still be on its way: nobody creates another one yet.
      expect(bed.upstream.batches.made).toHaveLength(create_ === 'unanswered' ? 1 : 0);
      expect(await bed.isRunning()).toBe(create_ === 'unanswered');
      await bed.pass(600);
      await bed.work(second, bed.isOver);
      expect(bed.upstream.batches.made).toHaveLength(1);
      expect(await bed.states()).toEqual(['succeeded', 'succeeded']);
    },
  );

  it('is one although two workers look for work at the same time', async () => {
    await bed.create('batch_c', 20);
    const [first, second] = [bed.openWorker('first'), bed.openWorker('second')];
    const look = async () => {
      await Promise.all([first.runner.fill(), second.runner.fill()]);
      await Promise.all([first.native.stepDue(), second.native.stepDue()]);
      await bed.database.query('update upstream_batch set next_run_at = now()');
      return bed.isOver();
    };
    await expect.poll(look, { timeout: 20_000 }).toBe(true);
    expect(bed.upstream.batches.made).toHaveLength(1);
    expect(new Set(bed.gateway.of('settle').map(({ requestId }) => requestId)).size).toBe(20);
    expect(bed.gateway.of('settle')).toHaveLength(20);
    expect(new Set(await bed.states())).toEqual(new Set(['succeeded']));
  });

  it('whose key was replaced by another one of its account goes on with that', async () => {
    const { promise: opened, resolve: go } = Promise.withResolvers<void>();
    bed.upstream.batches.behave({ wait: () => opened });
    await bed.create('batch_q', 2);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isRunning);
    bed.renewKey({ isOfAccount: true });
    go();
    await bed.work(worker, bed.isOver);
    expect(await bed.outcomes()).toEqual(['completed']);
    expect(await bed.states()).toEqual(['succeeded', 'succeeded']);
  });

  it('whose key was removed is lost: its lines end, and are not sent again', async () => {
    bed.upstream.batches.behave({ wait: () => new Promise(() => undefined) });
    await bed.create('batch_d', 2);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isRunning);
    bed.renewKey();
    await bed.work(worker, bed.isOver);
    expect(await bed.outcomes()).toEqual(['lost']);
    expect(await bed.states()).toEqual(['failed', 'failed']);
    expect(bed.gateway.of('release').map(({ lost }) => lost)).toEqual([
      { channelId: bed.channelId, upstreamModel: MODEL, hold: HOLD },
      { channelId: bed.channelId, upstreamModel: MODEL, hold: HOLD },
    ]);
    await worker.runner.fill();
    expect(bed.gateway.calls).toEqual([]);
    expect(bed.gateway.of('settle')).toEqual([]);
  });

  it.each([
    ['the channel', (): void => bed.disableKey(), 'succeeded'],
    ['its caller', (): void => void (bed.gateway.refusesWith = 401), 'failed'],
  ] as const)('is not begun with a key of %s that was disabled meanwhile', async (_, disable, wanted) => {
    await bed.create('batch_p', 2);
    const worker = bed.openWorker('one');
    await expect.poll(async () => (await worker.runner.fill(), bed.areParked())).toBe(true);
    disable();
    await bed.hurry();
    await worker.native.stepDue();
    expect(await bed.outcomes()).toEqual(['key_disabled']);
    expect(bed.upstream.batches.made).toEqual([]);
    expect(bed.gateway.of('release').map(({ lost }) => lost)).toEqual([undefined, undefined]);
    await expect.poll(async () => (await worker.runner.fill(), bed.states())).toEqual([wanted, wanted]);
    expect(bed.gateway.calls).toHaveLength(2);
  });

  it.each([
    ['says nothing of a line', { silentAbout: 1 }, ['failed', 'succeeded', 'succeeded'], 'completed', 1],
    ['has lost its results', { losesFiles: true }, ['failed', 'failed', 'failed'], 'lost', 3],
  ] as const)(
    'that %s leaves it unknown, and it is not repeated',
    async (_, behaviour, wanted, outcome, lost) => {
      bed.upstream.batches.behave(behaviour);
      await bed.create('batch_e', 3);
      await bed.work(bed.openWorker('one'), bed.isOver);
      expect(await bed.outcomes()).toEqual([outcome]);
      expect(await bed.states()).toEqual(wanted);
      expect(bed.gateway.of('release').filter((step) => step.lost)).toHaveLength(lost);
      expect(bed.gateway.calls).toEqual([]);
    },
  );

  it('that expired is settled as far as it came; the others are made as calls', async () => {
    bed.upstream.batches.behave({ expiresAfter: 1 });
    await bed.create('batch_f', 3);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isOver);
    await expect
      .poll(async () => (await worker.runner.fill(), bed.states()))
      .toEqual(Array(3).fill('succeeded'));
    expect(bed.gateway.of('settle')).toHaveLength(1);
    expect(bed.gateway.of('release').map(({ lost }) => lost)).toEqual([undefined, undefined]);
    expect(bed.gateway.calls).toHaveLength(2);
    expect(bed.upstream.batches.made).toHaveLength(1);
  });

  it.each([400, 508])('that the provider refuses with %i is made as calls', async (create) => {
    bed.upstream.batches.behave({ create });
    await bed.create(`batch_g_${create}`, 2);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isOver);
    expect(await bed.outcomes()).toEqual(['refused']);
    await expect
      .poll(async () => (await worker.runner.fill(), bed.states()))
      .toEqual(Array(2).fill('succeeded'));
    expect(bed.gateway.calls).toHaveLength(2);
    expect(bed.gateway.of('release')).toHaveLength(2);
  });

  it('settles errors of lines, counts results of unknown ids, and settles nothing twice', async () => {
    bed.upstream.script(
      MODEL,
      { failure: { kind: 'reply', status: 400, body: { error: { message: 'no' } } } },
      {},
    );
    bed.upstream.batches.behave({ alsoAnswers: [`1_${newId()}`, 'what-is-this'] });
    await bed.create('batch_h', 2);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isOver);
    expect(await bed.states()).toEqual(['failed', 'succeeded']);
    expect(
      bed.gateway
        .of('settle')
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual([200, 400]);
    const counted = await worker.context.lines.get();
    expect(counted.values).toContainEqual({ labels: { outcome: 'unknown' }, value: 2 });
  });

  it('settles several lines at once; lost in the middle, another worker settles what has not ended, once each', async () => {
    const { promise: opened, resolve: go } = Promise.withResolvers<void>();
    const alsoAnswers: string[] = [];
    bed.upstream.batches.behave({ wait: () => opened, alsoAnswers });
    await bed.create('batch_s', 40);
    const first = bed.openWorker('lost');
    await bed.work(first, bed.isRunning);
    const names = bed.upstream.batches.made[0]?.lines.map(({ customId }) => customId) ?? [];
    // The last one stands in the results three times.
    alsoAnswers.push(...names.slice(-1), ...names.slice(-1));
    const halves: (() => void)[] = [];
    bed.gateway.beforeSettling = () =>
      bed.gateway.of('settle').length <= 12
        ? Promise.resolve()
        : new Promise((_, reject) => halves.push(() => reject(new Error('killed'))));
    go();
    await expect.poll(() => bed.upstream.batches.made[0]?.status).toBe('completed');
    await bed.hurry();
    const lost = first.native.stepDue();
    await expect.poll(() => halves.length).toBe(8);
    expect((await bed.states()).filter((state) => state === 'succeeded')).toHaveLength(12);
    const closed = first.native.close();
    for (const end of halves) end();
    await Promise.all([lost, closed]);
    bed.gateway.beforeSettling = async () => undefined;
    await bed.work(bed.openWorker('second'), bed.isOver);
    expect(new Set(await bed.states())).toEqual(new Set(['succeeded']));
    const settled = Map.groupBy(bed.gateway.of('settle'), ({ requestId }) => requestId);
    expect([...settled.keys()].toSorted()).toEqual(names.map((name) => name.split('_')[1]).toSorted());
    // Again only what was in progress: the gateway gives the same answer to the same Idempotency-Key.
    expect([...settled.values()].filter((steps) => steps.length > 1)).toHaveLength(8);
  });

  it('is cancelled with its batch: what was made is settled, the rest is not sent', async () => {
    const { promise: opened, resolve: go } = Promise.withResolvers<void>();
    bed.upstream.batches.behave({ wait: () => opened });
    await bed.create('batch_i', 2);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isRunning);
    await bed.batches.cancel(bed.walletId, 'batch', 'batch_i');
    await bed.work(worker, async () => bed.upstream.batches.made.some((made) => made.isCancelled));
    expect(await worker.context.work.claimBatch()).toBeUndefined();
    go();
    await bed.work(worker, bed.isOver);
    expect(await bed.outcomes()).toEqual(['cancelled']);
    expect(bed.gateway.of('release')).toHaveLength(2);
    await worker.runner.fill();
    expect(bed.gateway.calls).toEqual([]);
    expect(await worker.context.work.claimBatch()).toMatchObject({ id: 'batch_i', state: 'finalizing' });
  });

  it('has lines of another batch of the wallet wait until it has ended', async () => {
    const { promise: opened, resolve: go } = Promise.withResolvers<void>();
    bed.upstream.batches.behave({ wait: () => opened });
    await bed.create('batch_j', 1);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isRunning);
    await bed.create('batch_k', 2);
    await expect
      .poll(async () => {
        await worker.runner.fill();
        return bed.database.query('select count(waits_for)::int as waiting from batch_line');
      })
      .toEqual([{ waiting: 2 }]);
    expect(bed.gateway.of('prepare')).toHaveLength(3);
    go();
    await bed.work(worker, async () => (await bed.states()).every((state) => state === 'succeeded'));
    expect(bed.upstream.batches.made).toHaveLength(2);
    expect(bed.gateway.of('settle')).toHaveLength(3);
  });

  it('is not asked for with lines of a model whose channels have none', async () => {
    await bed.create('batch_o', 2, {}, (content) => ({
      model: OTHER_MODEL,
      messages: [{ role: 'user', content }],
    }));
    const worker = bed.openWorker('one');
    await expect
      .poll(async () => (await worker.runner.fill(), bed.states()))
      .toEqual(['succeeded', 'succeeded']);
    expect(bed.gateway.of('prepare')).toEqual([]);
    expect(bed.gateway.calls).toHaveLength(2);
  });

  it('is not waited for by lines whose day is nearly over', async () => {
    bed.upstream.batches.behave({ wait: () => new Promise(() => undefined) });
    await bed.create('batch_m', 1);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isRunning);
    await bed.create('batch_n', 2);
    const fillUntil = (count: number) =>
      expect
        .poll(
          async () => (
            await worker.runner.fill(),
            (await bed.states()).filter((one) => one === 'succeeded').length
          ),
        )
        .toBe(count);
    await expect.poll(async () => (await worker.runner.fill(), bed.gateway.of('prepare').length)).toBe(3);
    await bed.database.query(`update batch set expires_at = now() + interval '5 hours' where id = 'batch_n'`);
    await fillUntil(2);
    expect(bed.gateway.calls).toHaveLength(2);
  });

  it('a line whose worker was lost while it was offered is released before it is offered anew', async () => {
    await bed.create('batch_l', 1);
    const lost = bed.openWorker('lost');
    const batch = (await lost.context.work.findRunnable())[0];
    if (!batch) throw new Error('nothing is to be run');
    await lost.context.work.claimLines(batch, 1);
    const before = newId();
    await lost.context.native.upstream.noteRequest({ batchId: 'batch_l', line: 1 }, before);
    await bed.database.query(`update batch_line set claimed_until = now() - interval '1 second'`);
    const second = bed.openWorker('second');
    await bed.work(second, bed.areParked);
    expect(bed.gateway.of('release').map(({ requestId }) => requestId)).toEqual([before]);
    expect(bed.gateway.of('prepare')).toHaveLength(1);
    expect(bed.gateway.of('prepare')[0]?.requestId).not.toBe(before);
  });
});

describeMessageBatches(() => bed);
describeGoogleBatches(() => bed);
