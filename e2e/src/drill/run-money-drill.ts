import { setTimeout as sleep } from 'node:timers/promises';
import { formatUsd } from '@mg/contract';
import type { Ending } from './call-chat.js';
import { checkMoney } from './check-money.js';
import { checkVideos } from './check-videos.js';
import { DriftWatch } from './drift-watch.js';
import { endLostSubmits } from './end-lost-submits.js';
import type { MoneyFleet } from './money-fleet.js';
import { MoneyLoad } from './money-load.js';
import { OrderQueue } from './order-queue.js';
import { describeIncident, type Incident, planIncidents } from './plan-incidents.js';
import { planOrders } from './plan-orders.js';

export interface MoneyDrillPlan {
  readonly calls: number;
  readonly kills: number;
  /** What is asked for, and what is done to whom when, follows from it. */
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface MoneyDrillReport {
  readonly seed: number;
  readonly orders: Readonly<Record<string, number>>;
  /** Requests for chats, those that were sent again included, by how they ended. */
  readonly requests: Readonly<Record<Ending, number>>;
  readonly charged: string;
  readonly videos: Readonly<Record<string, number>>;
  readonly refunds: number;
  /** Calls that cost nothing and that the log does not have. */
  readonly unlogged: number;
  readonly incidents: Readonly<Record<string, number>>;
  readonly messages: Readonly<Record<string, number>>;
  readonly snapshots: number;
  /** USD, of all snapshots together. */
  readonly drift: string;
  /** Until nothing was held any more, after the last answer. */
  readonly secondsUntilReleased: number;
  readonly seconds: number;
  /** Sentences about everything that should not be. */
  readonly faults: readonly string[];
}

/** Whatever happened, no hold is open for longer. */
const RELEASED_WITHIN_MS = 75_000;
/** Processes that are not there, or not yet again, at the same time. */
const MOST_AWAY = 3;
const NANO_DIGITS = 9;

/** Calls, top-ups and videos while everything that they stand on is killed, frozen and lied to; then every nano-dollar is looked for. */
export async function runMoneyDrill(fleet: MoneyFleet, plan: MoneyDrillPlan): Promise<MoneyDrillReport> {
  const { calls, kills, seed, say } = plan;
  const startedMs = performance.now();
  const orders = planOrders(calls, seed);
  const incidents = planIncidents({ kills, seed });
  say(`seed ${seed}: ${orders.length} orders, ${incidents.length} incidents`);
  const queue = new OrderQueue(orders);
  const load = await MoneyLoad.prepare(fleet, queue);
  const drift = new DriftWatch(fleet.query);
  fleet.messages.isOn = true;
  await Promise.all([load.run(), strikeAll(fleet, queue, incidents, { load, say })]);
  fleet.messages.isOn = false;
  const endedMs = performance.now();
  const held = await waitForRelease(fleet);
  const secondsUntilReleased = toSeconds(performance.now() - endedMs);
  const { snapshots, sum, faults: driftFaults } = await drift.stop();
  const videos = await checkVideos(fleet, load.videos);
  const money = await checkMoney(fleet, load);
  const charged = await sumCharges(fleet);
  return {
    seed,
    orders: countBy(orders, ({ kind }) => kind),
    requests: countBy(load.attempts, ({ ending }) => ending),
    charged: formatUsd(charged),
    videos: { ...videos.ends, refused: videos.refused },
    refunds: videos.refunds,
    unlogged: money.unlogged,
    incidents: countBy(incidents, ({ action, victim }) => `${action} ${victim}`),
    messages: fleet.messages.counts,
    snapshots,
    drift: (Number(sum) / 10 ** NANO_DIGITS).toFixed(NANO_DIGITS),
    secondsUntilReleased,
    seconds: toSeconds(performance.now() - startedMs),
    faults: [...held, ...driftFaults, ...videos.faults, ...money.faults],
  };
}

/** Each incident comes while the orders of its batch are in progress; the next one does not wait until it is over. */
async function strikeAll(
  fleet: MoneyFleet,
  queue: OrderQueue,
  incidents: readonly Incident[],
  { load, say }: { readonly load: MoneyLoad; readonly say: (line: string) => void },
): Promise<void> {
  const inFlight = new Map<string, Promise<void>>();
  for (const [place, incident] of incidents.entries()) {
    queue.release((place + 1) / incidents.length);
    await queue.waitUntilBegun((place + incident.moment) / incidents.length);
    await inFlight.get(incident.victim);
    while (inFlight.size >= MOST_AWAY) await Promise.race(inFlight.values());
    say(`${place + 1}/${incidents.length} ${describeIncident(incident)}; ${load.attempts.length} requests`);
    const strike = strikeOne(fleet, incident).finally(() => inFlight.delete(incident.victim));
    inFlight.set(incident.victim, strike);
  }
  queue.release(1);
  await Promise.all(inFlight.values());
}

function strikeOne({ victims }: MoneyFleet, incident: Incident): Promise<void> {
  const victim = victims.get(incident.victim);
  if (!victim) throw new Error(`There is no ${incident.victim}.`);
  switch (incident.action) {
    case 'kill':
      return victim.kill(incident.losesData);
    case 'freeze':
      return victim.freeze(incident.forMs);
    case 'jump':
      return victim.jump(incident.offsetMs, incident.forMs);
  }
}

/**
 * Waits until no money is held and all usage is posted. A submit whose worker was killed in its middle would wait for its
 * deadline, a day: it is brought there.
 *
 * @returns what is left when the time is over.
 */
async function waitForRelease({ query }: MoneyFleet): Promise<string[]> {
  const deadline = performance.now() + RELEASED_WITHIN_MS;
  for (;;) {
    const left = await query<{ what: string; count: number }>(
      `select 'held for a ' || kind as what, count(*)::int as count from hold where state = 'open' group by 1
       union all select 'not posted', count(*)::int from usage_journal where posted_at is null having count(*) > 0
       union all select 'lives whose calls may not be logged', count(*)::int from ended_life having count(*) > 0
       union all select 'task ' || state, count(*)::int from task
                  where state not in ('succeeded', 'failed', 'expired', 'cancelled') group by 1`,
    );
    if (left.length === 0) return [];
    if (performance.now() > deadline) return left.map(({ what, count }) => `${count} ${what} at the end`);
    await endLostSubmits((sql) => query(sql));
    await sleep(500);
  }
}

async function sumCharges({ query }: MoneyFleet): Promise<bigint> {
  const [row] = await query<{ sum: string }>(
    `select coalesce(-sum(amount), 0)::text as sum from entry where wallet_id is not null and token_id is not null`,
  );
  return BigInt(row?.sum ?? 0);
}

function countBy<Item, Name extends string>(
  items: readonly Item[],
  nameOf: (item: Item) => Name,
): Record<Name, number> {
  const counts = {} as Record<Name, number>;
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1;
  return counts;
}

function toSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
