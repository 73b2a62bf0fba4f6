import { newId, sha256 } from '@mg/contract';
import { createGate } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { type Caller, type LeaseMode, type StageFleet, startStageFleet } from './stage-fleet.js';

const COST = '0.1';
const COST_NANO = '100000000';
const WITHIN_MS = 15_000;
const MODES: readonly LeaseMode[] = ['off', 'on'];
/** Calls that a wallet has funds for beyond those of a test, where it is to be ample enough for a lease. */
const AMPLE = 200;
/** Calls at once that are worth a lease, with a margin. */
const CALLS_FOR_A_LEASE = 8;

let fleet: StageFleet;
beforeAll(async () => {
  fleet = await startStageFleet({ leases: MODES });
});
afterAll(() => fleet.stop());

const PATH = '/v1/chat/completions';

/** A caller of the gateway with leases, or of the one without. */
interface StageCaller extends Caller {
  readonly gatewayUrl: string | undefined;
  /** What was charged before the test, in calls; its wallet had funds for these, too. */
  readonly spent: number;
}

async function ask(
  { key, model, gatewayUrl }: StageCaller,
  body: object = {},
  { headers = {}, signal = AbortSignal.timeout(WITHIN_MS) } = {},
): Promise<Response> {
  return fetch(`${gatewayUrl}${PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: writeBody(model, body),
    signal,
  });
}

function writeBody(model: string, body: object = {}): string {
  return JSON.stringify({ model, max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }], ...body });
}

/** Makes an answered call one whose gateway was killed a minute ago, after it had charged it. @returns the id of the call. */
async function loseGateway({ tokenId }: Pick<Caller, 'tokenId'>): Promise<string> {
  const [row] = await fleet.query<{ request_id: string }>(
    `update idempotent_reply set status = null, headers = null, body = null, completed_at = null,
            owner_instance = 'gateway/lost', owner_epoch = 'lost', created_at = now() - interval '61 seconds'
      where token_id = $1 returning request_id`,
    [tokenId],
  );
  return row?.request_id ?? '';
}

/** A key that the gateway knows with its model: both are read from announcements of the database. */
async function addCaller(
  mode: LeaseMode,
  calls: number,
  ...behaviours: readonly string[]
): Promise<StageCaller> {
  const caller = await fleet.addCaller(calls, behaviours);
  const gatewayUrl = fleet.gatewayUrls[MODES.indexOf(mode)];
  await waitUntil(
    'the gateway knows the model',
    async () => {
      const listed = await fetch(`${gatewayUrl}/v1/models`, {
        headers: { authorization: `Bearer ${caller.key}` },
      });
      return (await listed.text()).includes(caller.model);
    },
    WITHIN_MS,
  );
  return { ...caller, gatewayUrl, spent: 0 };
}

/** The same whose next call is admitted by a lease, where there are leases. */
async function addLeasedCaller(
  mode: LeaseMode,
  calls: number,
  ...behaviours: readonly string[]
): Promise<StageCaller> {
  if (mode === 'off') return addCaller(mode, calls, ...behaviours);
  const caller = await addCaller(mode, calls + AMPLE, ...behaviours);
  // Of the same key and wallet, which is who has a lease.
  const { model } = await addCaller(mode, 1, 'plain');
  let spent = 0;
  await waitUntil(
    'a lease',
    async () => {
      const answers = await Promise.all(
        Array.from({ length: CALLS_FOR_A_LEASE }, () => ask({ ...caller, model })),
      );
      spent += answers.length;
      const rows = await fleet.query(`select id from lease where wallet_id = $1 and state = 'open'`, [
        caller.walletId,
      ]);
      return rows.length > 0;
    },
    WITHIN_MS,
  );
  return { ...caller, spent };
}

/** What is written of a wallet once nothing of it is held any more, without what was charged before the test. */
async function readBooks({ walletId, model, spent }: StageCaller) {
  // Gateways give back at once what they hold ready.
  await fleet.query(`select pg_notify('lease_recalled', $1)`, [walletId]);
  await waitUntil(
    'nothing is held',
    async () => {
      const [wallet] = await fleet.query<{ held: string }>('select held from wallet where id = $1', [
        walletId,
      ]);
      return wallet?.held === '0';
    },
    WITHIN_MS,
  );
  const [wallet] = await fleet.query<{ balance: string }>('select balance from wallet where id = $1', [
    walletId,
  ]);
  const charges = await fleet.query<{ amount: string }>(
    `select amount from entry where wallet_id = $1 and kind = 'charge'`,
    [walletId],
  );
  const holds = await fleet.query<{ state: string }>(
    'select state from hold where wallet_id = $1 and model_slug = $2',
    [walletId, model],
  );
  expect(await fleet.query('select * from money_drift()')).toEqual([]);
  const kept = spent === 0 ? 0n : BigInt(AMPLE - spent) * BigInt(COST_NANO);
  return {
    balance: String(BigInt(wallet?.balance ?? 0) - kept),
    charges: charges.length - spent,
    holds: holds.map(({ state }) => state).sort(),
  };
}

interface LogRow {
  readonly status: number;
  readonly reason: string;
  readonly error_code: string | null;
  readonly cost: string;
  readonly attempts: readonly { readonly outcome: string; readonly status: number | null }[];
}

function findLog({ walletId, model }: StageCaller, count = 1): Promise<LogRow[]> {
  return waitUntil(
    'the log',
    async () => {
      const rows = await fleet.query<LogRow>(
        `select status, reason, error_code, cost, attempts from request_log where wallet_id = $1 and model = $2
          order by request_id`,
        [walletId, model],
      );
      return rows.length >= count && rows;
    },
    WITHIN_MS,
  );
}

describe.each(MODES)(
  'the stages of a billed call, on Postgres, Redis and billing, with leases %s',
  (mode) => {
    it('reserve: funds for three calls admit three of ten at once, and no more', async () => {
      const caller = await addCaller(mode, 3, `stage-held-${mode}`);
      const gate = createGate();
      fleet.upstream.script(`stage-held-${mode}`, { wait: () => gate.wait() });
      const answers = Array.from({ length: 10 }, () => ask(caller));
      const statuses: number[] = [];
      for (const answer of answers) void answer.then(({ status }) => statuses.push(status));
      await waitUntil('seven refusals', () => statuses.length === 7, WITHIN_MS);
      gate.open();
      await Promise.all(answers);
      expect(statuses.sort()).toEqual([200, 200, 200, 402, 402, 402, 402, 402, 402, 402]);
      expect(await readBooks(caller)).toMatchObject({ balance: '0', charges: 3 });
      const codes = (await findLog(caller, 10)).map(({ error_code: code }) => code);
      expect(codes.filter((code) => code === 'insufficient_balance')).toHaveLength(7);
    });

    it('reserve: without billing nothing is asked, and nothing stays held', async () => {
      const behaviour = `stage-unasked-${mode}`;
      const caller = await addCaller(mode, 1, behaviour);
      await fleet.stopBilling();
      try {
        const answer = await ask(caller);
        expect([answer.status, await answer.json()]).toMatchObject([
          503,
          { error: { code: 'service_unavailable' } },
        ]);
        expect(fleet.upstream.calls.filter(({ model }) => model === behaviour)).toEqual([]);
      } finally {
        await fleet.startBilling();
      }
      expect(await readBooks(caller)).toMatchObject({ balance: '100000000', charges: 0 });
      await waitUntil('it is served again', async () => (await ask(caller)).status === 200, WITHIN_MS);
    });

    it('send: a channel that fails costs nothing, and the next one answers', async () => {
      const caller = await addLeasedCaller(mode, 2, 'error-500', 'gpt-4o');
      const answer = await ask(caller);
      expect([answer.status, answer.headers.get('x-gateway-cost')]).toEqual([200, COST]);
      expect(await readBooks(caller)).toEqual({ balance: '100000000', charges: 1, holds: ['posted'] });
      const [row] = await findLog(caller);
      expect(row).toMatchObject({ reason: 'retried', cost: '100000000' });
      expect(row?.attempts.map(({ outcome, status }) => [outcome, status])).toEqual([
        ['failed', 500],
        ['served', 200],
      ]);
    });

    it('F11: settle: what a failed attempt may cost us is booked, and its caller does not pay it', async () => {
      const caller = await addLeasedCaller(mode, 2, 'error-500', 'gpt-4o');
      const answer = await ask(caller);
      expect(answer.status).toBe(200);
      const waste = await waitUntil(
        'the waste',
        async () => {
          const rows = await fleet.query(
            'select attempt, reason, amount, model from waste where request_id = $1',
            [answer.headers.get('x-request-id')],
          );
          return rows.length > 0 && rows;
        },
        WITHIN_MS,
      );
      expect(waste).toEqual([{ attempt: 0, reason: 'failed', amount: COST_NANO, model: caller.model }]);
      expect(await readBooks(caller)).toEqual({ balance: COST_NANO, charges: 1, holds: ['posted'] });
    });

    it('relay: a stream that the upstream breaks costs nothing', async () => {
      const caller = await addLeasedCaller(mode, 1, 'end-in-stream');
      const answer = await ask(caller, { stream: true });
      expect(await answer.text()).toContain('upstream_error');
      expect(await findLog(caller)).toMatchObject([{ reason: 'upstream_failed', cost: '0' }]);
      // Of a call that a lease covers the hold is written down with its end.
      await expect
        .poll(() => readBooks(caller), { timeout: WITHIN_MS })
        .toEqual({ balance: '100000000', charges: 0, holds: ['voided'] });
    });

    it('relay: a stream that the client leaves is charged', async () => {
      const caller = await addLeasedCaller(mode, 1, 'endless');
      const client = new AbortController();
      const answer = await ask(caller, { stream: true }, { signal: client.signal });
      await answer.body?.getReader().read();
      client.abort();
      expect(await findLog(caller)).toMatchObject([{ reason: 'client_aborted', cost: '100000000' }]);
      expect(await readBooks(caller)).toEqual({ balance: '0', charges: 1, holds: ['posted'] });
    });

    it('once: a repeated Idempotency-Key is answered alike and charged once', async () => {
      const caller = await addLeasedCaller(mode, 2, 'gpt-4o');
      const headers = { 'idempotency-key': 'stage' };
      const first = await ask(caller, {}, { headers });
      const again = await ask(caller, {}, { headers });
      expect(await again.text()).toBe(await first.text());
      expect(await readBooks(caller)).toMatchObject({ balance: '100000000', charges: 1 });
    });

    it('F3: once: a call that its lost gateway has charged stays the same call when it fails after it was taken over', async () => {
      const behaviour = `stage-lost-${mode}`;
      const caller = await addLeasedCaller(mode, 2, behaviour);
      const failure = { kind: 'reply', status: 400, body: { error: { message: 'not now' } } } as const;
      fleet.upstream.script(behaviour, {}, { failure }, {});
      const headers = { 'idempotency-key': 'lost' };
      expect((await ask(caller, {}, { headers })).status).toBe(200);
      expect(await readBooks(caller)).toMatchObject({ charges: 1 });
      const lostId = await loseGateway(caller);
      expect((await ask(caller, {}, { headers })).status).toBe(400);
      const again = await ask(caller, {}, { headers });
      expect([again.status, again.headers.get('x-request-id')]).toEqual([200, lostId]);
      expect(await readBooks(caller)).toMatchObject({ balance: '100000000', charges: 1 });
    });

    it('F3: once: a call that nobody has charged is another call when it failed after it was taken over', async () => {
      const behaviour = `stage-free-${mode}`;
      const caller = await addLeasedCaller(mode, 2, behaviour);
      const failure = { kind: 'reply', status: 400, body: { error: { message: 'not now' } } } as const;
      fleet.upstream.script(behaviour, { failure }, {});
      const headers = { 'idempotency-key': 'free' };
      await fleet.query(
        `insert into idempotent_reply (token_id, key, fingerprint, request_id, owner_instance, owner_epoch, created_at)
       values ($1, 'free', $2, $3, 'gateway/lost', 'lost', now() - interval '61 seconds')`,
        [caller.tokenId, sha256(`${PATH}\n${writeBody(caller.model)}`), newId()],
      );
      expect((await ask(caller, {}, { headers })).status).toBe(400);
      expect((await ask(caller, {}, { headers })).status).toBe(200);
      expect(await readBooks(caller)).toMatchObject({ balance: '100000000', charges: 1 });
    });
  },
);

it('leases admitted calls of the gateway that takes them, and none of the other one', async () => {
  const admitting = await fleet.query(
    'select distinct l.owner_instance as instance from request_log r join lease l on l.id = r.lease_id',
  );
  expect(admitting).toEqual([{ instance: 'gateway/stage-1' }]);
});
