import { createGate } from '@mg/testkit';
import { expect } from 'vitest';
import { openStream } from '../outages/open-stream.js';
import { type Replica, type ReplicaFleet, withReplicaFleet } from '../outages/replica-fleet.js';
import { waitUntil } from '../wait-until.js';
import type { Attack, AttackSize } from './attack.js';
import { type BookedCall, LONG_CALLS, readCalls } from './lost-calls.js';

const FROZEN_MS = 70_000;
const KEY = { 'idempotency-key': 'of-a-frozen-gateway' };
const CALLS_MEANWHILE = 20;

export const freezeGateway: Attack<AttackSize> = {
  threats: ['T19'],
  title:
    'F4: a gateway that freezes for longer than a minute admits nothing while it is over, and charges nothing twice',
  fullSizeOnly: true,
  timeoutMs: { short: 300_000, full: 300_000 },
  run: ({ say }) => withReplicaFleet((fleet) => freeze(fleet, say), LONG_CALLS),
};

async function freeze(fleet: ReplicaFleet, say: (line: string) => void): Promise<void> {
  const [frozen, other] = await Promise.all([
    fleet.start('gateway', 'pod-a'),
    fleet.start('gateway', 'pod-b'),
  ]);
  await noteLives(fleet);
  const gate = createGate();
  fleet.upstream.script('plain', { wait: gate.wait });
  const stream = await openStream(frozen.url);
  const early = [fleet.askChat(frozen), fleet.askChat(frozen, KEY)];
  await waitUntil('three calls in flight', () => fleet.upstream.calls.length === 3, 30_000);
  const hasCheckpoint = async () => (await readCalls(fleet)).some(({ checkpointed }) => checkpointed);
  await waitUntil('a checkpoint of the stream', hasCheckpoint, 30_000);
  const ids = (await readCalls(fleet)).map(({ id }) => id);

  frozen.process.signal('SIGSTOP');
  gate.open();
  const repeated = fleet.askChat(other, KEY);
  const meanwhile = askOften(fleet, frozen);
  await new Promise((resolve) => setTimeout(resolve, FROZEN_MS));
  const ended = (await readCalls(fleet)).filter(({ id }) => ids.includes(id));
  expect(ended.map(({ state }) => state).filter((state) => state === 'open')).toEqual([]);
  frozen.process.signal('SIGCONT');

  expect((await repeated).status).toBe(200);
  const statuses = (await meanwhile).map(({ status }) => status);
  expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
  expect((await Promise.all(early)).map(({ status }) => status)).toEqual([200, 200]);
  await waitUntil('the end of the stream', () => stream.isOver, 60_000);
  await fleet.expectSettled(30_000);
  expect(await listAdmittedBetweenLives(fleet)).toEqual([]);
  const calls = (await readCalls(fleet)).filter(({ id }) => ids.includes(id));
  say(
    `a gateway frozen for 70 s: its three calls ended as ${describe(calls)}; of ${CALLS_MEANWHILE} that waited at its door, ${statuses.filter((status) => status === 200).length} were admitted afterwards`,
  );
  expect(calls.find(({ hasKey }) => hasKey)?.entries).toHaveLength(1);
  const others = calls.filter(({ hasKey }) => !hasKey);
  expect(others.find(({ checkpointed }) => checkpointed)?.entries).toEqual(['charge', 'true_up']);
  expect(others.find(({ checkpointed }) => !checkpointed)?.entries).toEqual(['late_charge']);
}

const describe = (calls: readonly BookedCall[]) =>
  calls.map(({ entries }) => entries.join(' and ')).join(', ');

const askOften = (fleet: ReplicaFleet, gateway: Replica) =>
  Promise.all(Array.from({ length: CALLS_MEANWHILE }, () => fleet.askChat(gateway)));

/** Has the database note when processes were found to be over and when their heartbeats came again. */
async function noteLives(fleet: ReplicaFleet): Promise<void> {
  await fleet.query(`
    create table noted_return (instance text, ended_at timestamptz, heard_at timestamptz default clock_timestamp());
    create function note_return() returns trigger language plpgsql as $$
    begin
      insert into noted_return (instance, ended_at) values (old.instance, old.ended_at);
      return new;
    end $$;
    create trigger note_return after update on plane_instance for each row
      when (old.ended_at is not null and new.ended_at is null) execute function note_return()`);
}

/** Holds that a process opened while it was over. @throws AssertionError when no process came back. */
async function listAdmittedBetweenLives(fleet: ReplicaFleet): Promise<unknown[]> {
  expect(await fleet.query('select instance from noted_return')).toEqual([{ instance: 'gateway/pod-a' }]);
  return fleet.query(`
    select h.id from hold h join noted_return n on n.instance = h.owner_instance
     where h.created_at between n.ended_at and n.heard_at`);
}
