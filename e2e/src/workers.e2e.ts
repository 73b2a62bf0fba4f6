import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientRequest, request as startRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import { createGate } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { HELLO } from './clients/openai-client.js';
import { KEYS, SECRETS } from './deployment/credentials.js';
import { type Replica, type ReplicaFleet, withReplicaFleet } from './outages/replica-fleet.js';
import { waitUntil } from './wait-until.js';

const WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 120_000;
const CALLERS = 8;
const ROUND = 120;
const CALLS_AFTER_KILL = 160;
const WORKERS = ['gateway/twins/1', 'gateway/twins/2'];
const TWO_WORKERS = { GATEWAY_WORKERS: '2', LEASES: 'on', LOG_LEVEL: 'info' };

describe('two gateway processes behind one port', () => {
  it('are one for money, metrics, crashes, freezes and drains', async () => {
    await withReplicaFleet(async (fleet) => {
      const gateway = await fleet.start('gateway', 'twins', TWO_WORKERS);
      await shareTheLoad(fleet, gateway);
      await loseAWorker(fleet, gateway);
      await freezeAWorker(fleet, gateway);
      await drain(fleet, gateway);
      await loseThePrimary(fleet, await fleet.start('gateway', 'twins', TWO_WORKERS));
      await fleet.expectSettled(SETTLED_WITHIN_MS);
      expect(await fleet.query('select * from money_drift()')).toEqual([]);
    });
  }, 300_000);
});

async function shareTheLoad(fleet: ReplicaFleet, gateway: Replica): Promise<void> {
  let calls = 0;
  // On a busy machine one of them may hardly run for a while, and is handed fewer connections then.
  const owners = await waitUntil(
    'a share of each',
    async () => {
      const { answered } = await load(gateway, (begun) => begun < ROUND);
      expect(answered).toHaveLength(ROUND);
      calls += ROUND;
      await fleet.expectSettled(SETTLED_WITHIN_MS);
      // Each asks for leases of its own, and admits calls from them.
      const shares = await fleet.query<{ owner: string; calls: number; leased: number }>(
        `select h.owner_instance as owner, count(*)::int as calls, count(j.lease_id)::int as leased
           from hold h left join usage_journal j on j.request_id = h.id and j.lease_id is not null group by 1 order by 1`,
      );
      return shares.length > 1 && shares.every(({ calls, leased }) => calls > 20 && leased > 0) && shares;
    },
    SETTLED_WITHIN_MS,
  );
  expect(owners.map(({ owner }) => owner)).toEqual(WORKERS);
  const metrics = await readMetrics(gateway);
  expect(metrics.calls).toBe(calls);
  expect(metrics).toMatchObject({ workers: 2, unresponsive: 0 });
}

/**
 * What a kill cuts is not answered; what was answered is charged, once; the other worker goes on and another comes. What the
 * killed one's leases held is free again.
 */
async function loseAWorker(fleet: ReplicaFleet, gateway: Replica): Promise<void> {
  const [victim = 0, other = 0] = listWorkers(gateway);
  let isKilled = false;
  let left = CALLS_AFTER_KILL;
  const loading = load(gateway, () => !isKilled || left-- > 0);
  const haveLeases = async () => (await listLessees(fleet, 'open')).length === 2;
  await waitUntil('each worker has a lease', haveLeases, WITHIN_MS);
  process.kill(victim, 'SIGKILL');
  isKilled = true;
  const { begun, answered, cut } = await loading;
  expect(answered.length + cut).toBe(begun);
  expect(cut).toBeLessThanOrEqual(CALLERS);
  const replaced = async () => (await readMetrics(gateway)).workers === 2;
  await waitUntil('the worker has been replaced', replaced, WITHIN_MS);
  expect(listWorkers(gateway)).toContain(other);
  expect(listWorkers(gateway)).not.toContain(victim);
  expect((await readMetrics(gateway)).ended).toBe(1);
  await fleet.expectSettled(SETTLED_WITHIN_MS);
  const freed = await listLessees(fleet, 'expired');
  expect(freed).toEqual([{ owner: expect.stringMatching(/twins/), is_ended: true }]);
  const charges = await fleet.query<{ id: string; times: number }>(
    `select request_id as id, count(*)::int as times from entry
      where wallet_id is not null and kind in ('charge', 'late_charge') group by 1`,
  );
  const timesOf = new Map(charges.map(({ id, times }) => [id, times]));
  expect(answered.filter((id) => timesOf.get(id) !== 1)).toEqual([]);
}

/** A frozen worker keeps no more than the one connection that it was handed. */
async function freezeAWorker(fleet: ReplicaFleet, gateway: Replica): Promise<void> {
  const [frozen = 0] = listWorkers(gateway);
  process.kill(frozen, 'SIGSTOP');
  const calls = Array.from({ length: 12 }, () => ask(gateway));
  let ended = 0;
  for (const call of calls) void call.then(() => ended++);
  await waitUntil('all calls but one are answered', () => ended === 11, WITHIN_MS);
  expect(await readMetrics(gateway)).toMatchObject({ workers: 2, unresponsive: 1 });
  process.kill(frozen, 'SIGCONT');
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
  const responds = async () => (await readMetrics(gateway)).unresponsive === 0;
  await waitUntil('the worker answers again', responds, WITHIN_MS);
  await fleet.expectSettled(SETTLED_WITHIN_MS);
}

async function drain(fleet: ReplicaFleet, gateway: Replica): Promise<void> {
  const late = await holdCallsUp(fleet, gateway);
  const stopping = gateway.process.stop();
  await waitUntil('both drain', () => countLines(gateway, 'is draining') === 3, WITHIN_MS);
  expect(await late.answer()).toEqual([200, 200, 200, 200]);
  expect(await stopping).toBe(0);
  expect([...(await listLessees(fleet, 'open')), ...(await listLessees(fleet, 'shrunk'))]).toEqual([]);
}

async function loseThePrimary(fleet: ReplicaFleet, gateway: Replica): Promise<void> {
  const workers = listWorkers(gateway);
  const late = await holdCallsUp(fleet, gateway);
  await gateway.process.kill();
  await expect(ask(gateway)).rejects.toThrow('ECONNREFUSED');
  expect(await late.answer()).toEqual([200, 200, 200, 200]);
  await waitUntil('no worker is left', () => workers.every((pid) => !isRunning(pid)), WITHIN_MS);
}

/** Four calls that the provider answers when it is told to. */
async function holdCallsUp(fleet: ReplicaFleet, gateway: Replica) {
  fleet.upstream.reset();
  const gate = createGate();
  fleet.upstream.script('plain', { wait: gate.wait });
  const calls = Array.from({ length: 4 }, () => ask(gateway));
  await waitUntil('the calls are with the provider', () => fleet.upstream.calls.length === 4, WITHIN_MS);
  return {
    answer: async () => {
      gate.open();
      const answers = await Promise.all(calls);
      fleet.upstream.reset();
      return answers.map(({ status }) => status);
    },
  };
}

/** Whose leases are in a state, and whether they are of an earlier run than the one that is alive. */
function listLessees(
  { query }: ReplicaFleet,
  state: 'open' | 'shrunk' | 'expired',
): Promise<{ readonly owner: string; readonly is_ended: boolean }[]> {
  return query(
    `select distinct l.owner_instance as owner, l.owner_epoch <> p.epoch as is_ended
       from lease l join plane_instance p on p.instance = l.owner_instance where l.state = $1`,
    [state],
  );
}

/** Calls by a few callers at once, for as long as they are told. Answers the ids of those answered, and how many were cut off. */
async function load(gateway: Replica, goesOn: (begun: number) => boolean) {
  const answered: string[] = [];
  let begun = 0;
  let cut = 0;
  const callOnAndOn = async () => {
    while (goesOn(begun)) {
      begun++;
      const answer = await ask(gateway).catch(() => undefined);
      if (answer === undefined) cut++;
      else if (answer.status === 200) answered.push(answer.id);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, callOnAndOn));
  return { begun, answered, cut };
}

/** One chat on a connection of its own, so that connections are shared out again. */
async function ask({ url }: Replica): Promise<{ readonly status: number; readonly id: string }> {
  const headers = { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' };
  const asking: ClientRequest = startRequest(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers,
    agent: false,
  });
  asking.end(JSON.stringify({ model: 'plain', messages: HELLO, max_tokens: 20 }));
  const [response] = (await once(asking, 'response')) as [import('node:http').IncomingMessage];
  await json(response);
  return { status: response.statusCode ?? 0, id: String(response.headers['x-request-id']) };
}

async function readMetrics({ url }: Replica) {
  const headers = { authorization: `Bearer ${SECRETS.metrics}`, connection: 'close' };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    );
  return {
    calls: sum('gateway_request_duration_seconds_count'),
    workers: sum('gateway_workers'),
    unresponsive: sum('gateway_workers_unresponsive'),
    ended: sum('gateway_workers_ended_total'),
  };
}

function listWorkers({ process: { pid } }: Replica): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function countLines({ process }: Replica, text: string): number {
  return process.readOutput().split(text).length - 1;
}
