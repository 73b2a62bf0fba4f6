import {
  type HoldOutcome,
  type HoldRequest,
  type JournalRow,
  type Model,
  newId,
  NO_USAGE,
  parsePrice,
} from '@mg/contract';
import { UsageJournal } from '@mg/persistence/gateway';
import { expect, it } from 'vitest';
import { NO_LEASES } from '../leases/leases.js';
import { CallRecord } from './call-record.js';
import type { GatewayContext } from './gateway-context.js';
import { HeldCalls } from './held-calls.js';
import type { Bound, OperationFacts } from './operation.js';
import type { Hold } from './hold.js';
import { reserve } from './reserve.js';

const ROWS_A_SECOND = 1_000;
/** As a gateway has it: a batch gathers for this long. */
const DELAY_MS = 40;
const HOUR_MS = 3_600_000;

const usage = (): JournalRow => ({
  requestId: newId(),
  seq: 1,
  phase: 'usage',
  usage: NO_USAGE,
  estimated: false,
});

const bound: Bound<Hold> = {
  price: { versionId: 'p', effectiveFrom: 0, price: parsePrice({ per_request: '1' }) },
  wanted: 1n,
  minimum: 1n,
  toHold: (hold) => hold,
};

/** A gateway whose channels allow calls of "m" to last for up to two hours. */
function makeGateway(openHold: GatewayContext['wallet']['openHold'], journal?: UsageJournal): GatewayContext {
  const channels = [60_000, 2 * HOUR_MS].map((totalMs) => ({ timeouts: { totalMs } }));
  return {
    wallet: { openHold },
    journal,
    heldCalls: new HeldCalls(),
    leases: NO_LEASES,
    metrics: { countAdmission: () => undefined },
    catalog: () => ({ channelsBySlug: new Map([['m', channels]]) }),
  } as unknown as GatewayContext;
}

function reserveCall(gateway: GatewayContext): Hold | Promise<Hold> {
  const operation: Pick<OperationFacts<Hold>, 'bound'> = { bound: () => bound };
  const record = new CallRecord(newId(), '/', { id: 't', walletId: 'w' } as CallRecord['caller']);
  const plan = { attempts: [], cooldownUntilMs: undefined };
  return reserve(operation, { model: { slug: 'm' } as Model, plan, record }, gateway);
}

it('F6: a hold outlives the longest call that a channel of its model allows', async () => {
  const asked: HoldRequest[] = [];
  const gateway = makeGateway(async (request) => {
    asked.push(request);
    return { granted: request.wanted };
  });
  await reserveCall(gateway);
  expect(asked.map(({ ttlSeconds }) => ttlSeconds > (2 * HOUR_MS) / 1_000)).toEqual([true]);
});

it('F7: a refusal waits for the batches that its own rows are in, at 1,000 rows a second without a lull', async () => {
  let batches = 0;
  const journal = new UsageJournal({
    write: async () => {
      batches++;
    },
    spool: { append: () => true, drop: () => undefined, has: () => true },
    maxBatch: 500,
    delayMs: DELAY_MS,
    onFailure: () => undefined,
    setAside: async () => undefined,
  });
  const refusal: HoldOutcome = { refused: 'insufficient_balance', message: 'Too little.' };
  const gateway = makeGateway(async () => refusal, journal);

  const load = setInterval(() => {
    for (let row = 0; row < ROWS_A_SECOND / 100; row++) void journal.charge(usage());
  }, 10);
  try {
    void journal.charge(usage());
    await expect(reserveCall(gateway)).rejects.toMatchObject({ code: 'insufficient_balance' });
  } finally {
    clearInterval(load);
  }
  // Two batches of 40 ms: half of the 200 ms in which a caller is to have the refusal.
  expect(batches).toBeLessThanOrEqual(2);
  await journal.flush();
});
