import { type CallerToken, type JournalRow, NO_USAGE, omitUndefined, parsePrice } from '@mg/contract';
import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LeaseSlice } from '../leases/lease-slice.js';
import { collectUsage, makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';
import { CallRecord } from './call-record.js';
import type { GatewayContext } from './gateway-context.js';
import { HeldCalls } from './held-calls.js';
import type { Hold } from './hold.js';
import { leaveCheckpoint, release, settle } from './settle.js';

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi' }], max_tokens: 20 };
const AMOUNT = 10_000_000_000n;

function openSlice(): LeaseSlice {
  return new LeaseSlice({
    id: 'lease-1',
    walletId: 'w',
    tokenId: 't',
    amount: AMOUNT,
    admitUntilMs: Number.POSITIVE_INFINITY,
  });
}

describe('a call of a payer who has a lease', () => {
  let upstream: FakeUpstream;
  let gateway: SmallGateway;
  beforeAll(async () => {
    upstream = await startFakeUpstream();
  });
  afterEach(() => gateway.close());
  afterAll(() => upstream.close());

  async function start(slice: LeaseSlice, behaviour: string) {
    const openHold = vi.fn<() => never>();
    gateway = await startSmallGateway('leased', {
      leases: { admit: (_, worst) => slice.admit(worst, performance.now()) },
      wallet: { openHold } as unknown as GatewayContext['wallet'],
    });
    gateway.channels = [makeChannel('c', { baseUrl: upstream.url, models: new Map([['m', behaviour]]) })];
    return openHold;
  }

  it('asks billing for nothing, and its rows say lease, payer and price', async () => {
    const slice = openSlice();
    const openHold = await start(slice, 'plain');
    expect((await gateway.post('/v1/chat/completions', CHAT)).status).toBe(200);
    await expect.poll(() => gateway.log).toHaveLength(1);
    expect(openHold).not.toHaveBeenCalled();
    expect(gateway.log).toMatchObject([{ leaseId: 'lease-1', status: 200 }]);
    expect(gateway.journal).toMatchObject([
      {
        phase: 'usage',
        payer: { walletId: 'w', tokenId: 't', priceVersionId: 'p1' },
        lease: { id: 'lease-1', worst: expect.any(BigInt) },
      },
    ]);
    expect([slice.kept, slice.calls]).toEqual([gateway.log[0]?.cost, 0]);
  });

  it('gives back all of its worst case when it fails, and reports what it may cost us', async () => {
    const slice = openSlice();
    await start(slice, 'error-500');
    expect((await gateway.post('/v1/chat/completions', CHAT)).status).toBe(502);
    await expect.poll(() => gateway.log).toHaveLength(1);
    expect(gateway.journal).toMatchObject([
      { phase: 'cancel', lease: { id: slice.id }, waste: [{ reason: 'failed' }] },
    ]);
    expect([slice.left, slice.calls]).toEqual([AMOUNT, 0]);
  });
});

describe('what a leased call writes', () => {
  const price = { versionId: 'p1', effectiveFrom: 0, price: parsePrice({ per_request: '0.1' }) };

  function begin() {
    const slice = openSlice();
    const rows: JournalRow[] = [];
    const heldCalls = new HeldCalls();
    const record = new CallRecord('r', '/v1', { id: 't', walletId: 'w' } as CallerToken);
    const leased = slice.admit(200_000_000n, performance.now());
    const hold: Hold = omitUndefined({ requestId: 'r', granted: 200_000_000n, price, leased });
    const journal = collectUsage(rows);
    return { slice, rows, heldCalls, record, hold, gateway: { journal, heldCalls } as GatewayContext };
  }

  const checkpoint = { seq: 0, usage: NO_USAGE };

  it('is nothing when it ends without a checkpoint and costs nothing', async () => {
    const { gateway, record, hold, rows, slice } = begin();
    release(record, hold, gateway);
    release(record, hold, gateway);
    await gateway.journal.flush();
    expect([rows, slice.left]).toEqual([[], AMOUNT]);
  });

  it('is a cancellation when it left a checkpoint, whose hold took its worst case', async () => {
    const { gateway, record, hold, rows, slice, heldCalls } = begin();
    leaveCheckpoint(record, hold, checkpoint, gateway);
    heldCalls.noteRenewed(['r'], performance.now() - 10_000_000, 1);
    expect(heldCalls.listDue(1)).toEqual(['r']);
    release(record, hold, gateway);
    await gateway.journal.flush();
    expect(rows.map(({ phase, lease }) => [phase, lease?.id])).toEqual([
      ['checkpoint', 'lease-1'],
      ['cancel', 'lease-1'],
    ]);
    expect(slice.kept).toBe(200_000_000n);
    expect(heldCalls.listDue(1)).toEqual([]);
  });

  it('ends with its usage: nothing that comes later is written', async () => {
    const { gateway, record, hold, rows, slice } = begin();
    await settle(record, hold, { usage: NO_USAGE, estimated: false }, gateway);
    leaveCheckpoint(record, hold, checkpoint, gateway);
    release(record, hold, gateway);
    await gateway.journal.flush();
    expect(rows.map(({ phase }) => phase)).toEqual(['usage']);
    expect([slice.kept, slice.calls]).toEqual([100_000_000n, 0]);
  });
});
