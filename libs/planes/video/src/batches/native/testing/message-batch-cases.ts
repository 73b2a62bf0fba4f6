import { newId } from '@mg/contract';
import { createGate } from '@mg/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { MODEL, type NativeBed, UPSTREAM_KEY } from './native-bed.js';

const BETA = { 'anthropic-beta': 'context-1m-2025-08-07' };

/** Lines that are carried out as a message batch of Anthropic's, which has neither a name nor metadata. */
export function describeMessageBatches(get: () => NativeBed): void {
  describe('a message batch', () => {
    beforeEach(() => get().reset({ type: 'anthropic', endpoint: '/messages' }));
    itIsMadeOnce(get);
    itIsMadeOrRefused(get);
    itEnds(get);
  });
}

/** A batch in the same workspace that is none of ours. */
async function createForeign({ upstream }: NativeBed, count: number): Promise<void> {
  const params = { model: MODEL, max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] };
  const requests = Array.from({ length: count }, (_, at) => ({ custom_id: `${at}_${newId()}`, params }));
  const created = await fetch(`${upstream.url}/v1/messages/batches`, {
    method: 'POST',
    headers: { 'x-api-key': UPSTREAM_KEY, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ requests }),
  });
  expect(created.status).toBe(200);
}

function create(bed: NativeBed, id: string, count: number): Promise<void> {
  return bed.create(id, count, { api: 'message_batch', endpoint: '/v1/messages', headers: BETA });
}

/** Creations that were not answered. */
function itIsMadeOnce(get: () => NativeBed): void {
  it('whose creation was not answered is known by its results, and is the only one', async () => {
    const bed = get();
    const { wait, open } = createGate();
    await create(bed, 'msgbatch_b', 2);
    bed.upstream.messageBatches.behave({ create: 'unanswered', wait });
    await bed.work(bed.openWorker('lost'), bed.isCreating);
    await createForeign(bed, 2);
    const second = bed.openWorker('second');
    await bed.pass(900);
    await bed.hurry();
    await second.native.stepDue();
    expect(bed.upstream.messageBatches.made).toHaveLength(2);
    expect(await bed.isCreating()).toBe(true);
    open();
    await bed.work(second, bed.isOver);
    const [ours, foreign] = bed.upstream.messageBatches.made;
    expect((await bed.rows()).map(({ upstream_id }) => upstream_id)).toEqual([ours?.id]);
    expect(foreign?.status).toBe('ended');
    expect(bed.upstream.messageBatches.made).toHaveLength(2);
    expect(await bed.states()).toEqual(['succeeded', 'succeeded']);
    expect(bed.gateway.of('settle')).toHaveLength(2);
  });

  it('that was not made is created once more, but not while another one may be it', async () => {
    const bed = get();
    const { wait, open } = createGate();
    await create(bed, 'msgbatch_c', 2);
    bed.upstream.messageBatches.behave({ create: 'broken' }, { wait });
    await bed.work(bed.openWorker('lost'), bed.isCreating);
    await createForeign(bed, 2);
    // This one has another number of requests: it is not waited for.
    await createForeign(bed, 3);
    const second = bed.openWorker('second');
    await bed.pass(900);
    await bed.hurry();
    await second.native.stepDue();
    expect(bed.upstream.messageBatches.made).toHaveLength(2);
    open();
    await bed.work(second, bed.isOver);
    expect(bed.upstream.messageBatches.made).toHaveLength(3);
    expect(await bed.states()).toEqual(['succeeded', 'succeeded']);
    expect(bed.gateway.of('settle')).toHaveLength(2);
  });
}

/** Creations that were. */
function itIsMadeOrRefused(get: () => NativeBed): void {
  it('carries out all lines at once, each held for and settled once, with the betas of their batch', async () => {
    const bed = get();
    await create(bed, 'msgbatch_a', 3);
    await bed.work(bed.openWorker('one'), bed.isOver);
    expect(await bed.states()).toEqual(Array(3).fill('succeeded'));
    expect(await bed.outcomes()).toEqual(['completed']);
    const { made } = bed.upstream.messageBatches;
    expect(made).toHaveLength(1);
    expect(made[0]?.headers).toMatchObject(BETA);
    const prepared = bed.gateway.of('prepare').map(({ requestId }) => requestId);
    expect(made[0]?.lines.map(({ customId }) => customId.split('_')[1]).toSorted()).toEqual(
      prepared.toSorted(),
    );
    const settled = bed.gateway.of('settle');
    expect(settled.map(({ requestId }) => requestId).toSorted()).toEqual(prepared.toSorted());
    expect(settled.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(bed.gateway.of('release')).toEqual([]);
  });

  it('is created later where there are too many, and made as calls where it is refused', async () => {
    const bed = get();
    bed.upstream.messageBatches.behave({ create: 429 }, { create: 413 });
    await create(bed, 'msgbatch_d', 2);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isOver);
    expect(await bed.outcomes()).toEqual(['refused']);
    await expect
      .poll(async () => (await worker.runner.fill(), bed.states()))
      .toEqual(['succeeded', 'succeeded']);
    expect(bed.gateway.calls).toHaveLength(2);
    expect(bed.gateway.of('release')).toHaveLength(2);
  });
}

/** Results. */
function itEnds(get: () => NativeBed): void {
  it('has lines made as calls that failed for another reason than what they ask', async () => {
    const bed = get();
    const reply = (status: number) =>
      ({ failure: { kind: 'reply', status, body: { error: { message: 'no' } } } }) as const;
    bed.upstream.script(MODEL, reply(400), reply(529), {});
    await create(bed, 'msgbatch_e', 3);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isOver);
    expect(await bed.states()).toEqual(['failed', 'open', 'succeeded']);
    await expect
      .poll(async () => (await worker.runner.fill(), bed.states()))
      .toEqual(['failed', 'succeeded', 'succeeded']);
    expect(
      bed.gateway
        .of('settle')
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual([200, 400]);
    expect(bed.gateway.calls).toHaveLength(1);
  });

  it.each([
    ['says nothing of a line', { silentAbout: 1 }, ['failed', 'succeeded', 'succeeded'], 'completed', 1],
    ['has lost its results', { losesFiles: true }, ['failed', 'failed', 'failed'], 'lost', 3],
  ] as const)(
    'that %s leaves it unknown, and it is not repeated',
    async (_, behaviour, wanted, outcome, lost) => {
      const bed = get();
      bed.upstream.messageBatches.behave(behaviour);
      await create(bed, 'msgbatch_f', 3);
      await bed.work(bed.openWorker('one'), bed.isOver);
      expect(await bed.outcomes()).toEqual([outcome]);
      expect(await bed.states()).toEqual(wanted);
      expect(bed.gateway.of('release').filter((step) => step.lost)).toHaveLength(lost);
      expect(bed.gateway.calls).toEqual([]);
    },
  );

  it('that expired is settled as far as it came, and cancelled with its batch', async () => {
    const bed = get();
    const { wait, open } = createGate();
    bed.upstream.messageBatches.behave({ expiresAfter: 1 }, { wait });
    await create(bed, 'msgbatch_g', 2);
    const worker = bed.openWorker('one');
    await bed.work(worker, bed.isOver);
    expect(await bed.outcomes()).toEqual(['expired']);
    await expect
      .poll(async () => (await worker.runner.fill(), bed.states()))
      .toEqual(['succeeded', 'succeeded']);
    expect(bed.gateway.calls).toHaveLength(1);

    await create(bed, 'msgbatch_h', 2);
    await bed.work(worker, bed.isRunning);
    await bed.batches.cancel(bed.walletId, 'message_batch', 'msgbatch_h');
    const isCancelled = () => bed.upstream.messageBatches.made[1]?.cancelledAt !== undefined;
    await bed.work(worker, async () => isCancelled());
    open();
    await bed.work(worker, bed.isOver);
    expect(await bed.outcomes()).toEqual(['expired', 'cancelled']);
    expect(bed.gateway.calls).toHaveLength(1);
    expect(bed.gateway.of('settle')).toHaveLength(1);
  });
}
