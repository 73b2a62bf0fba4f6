import { formatUsd, type NanoUsd } from '@mg/contract';
import type { FakeUpstream, UpstreamCall } from '@mg/testkit';
import type { Attempt } from './call-chat.js';
import { CALLERS, callerName, costOfTokens } from './money-configuration.js';
import type { MoneyFleet } from './money-fleet.js';
import type { MoneyLoad, TopUpAnswer } from './money-load.js';

const OK = 200;

interface Charges {
  readonly request_id: string;
  readonly token: string;
  readonly charges: number;
  readonly total: string;
}

/** A call that has a hold of its own, a row in the log, or both. */
interface Outcome {
  readonly id: string;
  /** Of its hold; null for a call without one. */
  readonly state: string | null;
  readonly charged: string | null;
  readonly rows: number;
  readonly cost: string | null;
  /** What the log says of its end. */
  readonly ends: string | null;
}

/** What the ledger says of calls for chats, by request. */
interface Books {
  readonly charges: ReadonlyMap<string, Charges>;
  readonly outcomes: readonly Outcome[];
}

/** What all requests of one call id came to for the caller: one id goes on where a key is repeated. */
interface CallerView {
  readonly attempts: readonly Attempt[];
  readonly isAnswered: boolean;
  readonly isBroken: boolean;
}

export interface MoneyCheck {
  /** Calls that cost nothing and that the log does not have: their gateway was killed before it had written them there. */
  readonly unlogged: number;
  /** Sentences about what is wrong. */
  readonly faults: readonly string[];
}

/** Holds the ledger against the provider's meter and against what callers saw. */
export async function checkMoney(fleet: MoneyFleet, load: MoneyLoad): Promise<MoneyCheck> {
  const books = await readBooks(fleet);
  const byMark = groupByMark(fleet.upstream);
  const views = groupByRequest(load.attempts);
  const faults = [
    ...[...views].flatMap(([id, view]) => checkCaller(id, view, books, byMark)),
    ...findRepeatedCharges(load, books),
    ...findUnexplainedCharges(load, books, views, byMark),
    ...books.outcomes.flatMap((outcome) => checkOutcome(outcome, books, views.get(outcome.id))),
    ...findUnloggedCharges(books),
    ...load.givenUp.map(({ index }) => `order ${index} was never answered`),
    ...(await checkTopUps(fleet, load.topUps)),
  ];
  const unlogged = books.outcomes.filter(({ rows }) => rows === 0);
  const missing = unlogged.filter(({ charged }) => BigInt(charged ?? 0) !== 0n);
  faults.push(...missing.map(({ id, charged }) => `${id} was charged ${charged} and is not in the log`));
  return { unlogged: unlogged.length - missing.length, faults };
}

async function readBooks({ query }: MoneyFleet): Promise<Books> {
  const charges = await query<Charges>(
    `select e.request_id, t.name as token, sum(e.amount)::text as total,
            count(*) filter (where e.kind in ('charge', 'late_charge'))::int as charges
       from entry e join token t on t.id = e.token_id
      where e.task_id is null and e.wallet_id is not null group by 1, 2`,
  );
  const outcomes = await query<Outcome>(
    `select coalesce(h.id, l.request_id) as id, h.state, h.charged::text, count(l.*)::int as rows,
            sum(l.cost)::text as cost, string_agg(l.status || ' ' || l.reason, ', ') as ends
       from (select * from hold where kind = 'request') h
       full join (select * from request_log r where not exists (select from task t where t.id = r.request_id)) l
         on l.request_id = h.id
      group by 1, 2, 3`,
  );
  return { charges: new Map(charges.map((row) => [row.request_id, row])), outcomes };
}

function groupByMark({ calls }: FakeUpstream): Map<string, UpstreamCall[]> {
  return Map.groupBy(calls, ({ body }) => {
    const [message] = (body?.['messages'] ?? []) as { content?: string }[];
    return /^order-\d+\./.exec(message?.content ?? '')?.[0] ?? '';
  });
}

function groupByRequest(attempts: readonly Attempt[]): Map<string, CallerView> {
  const reported = attempts.filter(({ requestId }) => requestId !== undefined);
  return new Map(
    [...Map.groupBy(reported, ({ requestId }) => requestId ?? '')].map(([id, same]) => [
      id,
      {
        attempts: same,
        isAnswered: same.some(({ ending }) => ending === 'answered'),
        isBroken: same.some(({ ending, order }) => ending === 'broken' || order.patient),
      },
    ]),
  );
}

/** Whoever was answered paid once what the provider's meter says, to the nano-dollar; whoever was refused paid nothing. */
function checkCaller(
  id: string,
  { attempts, isAnswered, isBroken }: CallerView,
  { charges }: Books,
  byMark: ReadonlyMap<string, readonly UpstreamCall[]>,
): string[] {
  const [first] = attempts;
  if (!first) return [];
  const paid = -BigInt(charges.get(id)?.total ?? 0);
  const is = `${id} (${describeView({ attempts, isAnswered, isBroken })})`;
  const made = (byMark.get(first.mark) ?? []).filter(({ status }) => status === OK);
  if (!isAnswered) {
    const most = isBroken ? mostOf(made, first.order.maxTokens) : 0n;
    return paid < 0n || paid > most ? [`${is} paid ${formatUsd(paid)}`] : [];
  }
  const due = new Set(made.filter(({ finished }) => finished).map(costOf));
  const reported = attempts.flatMap(({ reportedCost }) => reportedCost ?? []);
  return [
    ...(due.size === 1 && due.has(paid)
      ? []
      : [`${is} paid ${formatUsd(paid)}, not ${[...due].map(formatUsd).join(' or ')}`]),
    ...reported.filter((cost) => cost !== formatUsd(paid)).map((cost) => `${is} was shown to cost ${cost}`),
  ];
}

function costOf({ promptTokens, completionTokens }: UpstreamCall): NanoUsd {
  return costOfTokens(promptTokens, completionTokens);
}

/** The most expensive that an answer cut off anywhere may be. */
function mostOf(calls: readonly UpstreamCall[], maxTokens: number): NanoUsd {
  const costs = calls.map(({ promptTokens }) => costOfTokens(promptTokens, maxTokens));
  return costs.reduce((most, cost) => (cost > most ? cost : most), 0n);
}

/** However often an order was sent under its Idempotency-Key, and whatever became of each time, it is charged once. */
function findRepeatedCharges({ attempts }: MoneyLoad, { charges }: Books): string[] {
  const patient = attempts.filter(({ order }) => order.patient);
  return [...Map.groupBy(patient, ({ mark }) => mark)].flatMap(([mark, same]) => {
    const ids = new Set(same.flatMap(({ requestId }) => requestId ?? []));
    const paid = [...ids].filter((id) => BigInt(charges.get(id)?.total ?? 0) !== 0n);
    return paid.length > 1 ? [`${mark} was charged as ${paid.join(' and as ')}`] : [];
  });
}

/**
 * Charges that no caller knows the id of belong to requests that broke off, one each, of their API key and without an
 * Idempotency-Key, and cost no more than those.
 */
function findUnexplainedCharges(
  { attempts }: MoneyLoad,
  { charges }: Books,
  views: ReadonlyMap<string, CallerView>,
  byMark: ReadonlyMap<string, readonly UpstreamCall[]>,
): string[] {
  const broken = attempts.filter(
    ({ ending, requestId, order }) => ending === 'broken' && requestId === undefined && !order.patient,
  );
  const names = new Set(Array.from({ length: CALLERS }, (_, caller) => callerName(caller)));
  const unreported = [...charges.values()].filter(
    (row) => names.has(row.token) && !views.has(row.request_id),
  );
  return [...Map.groupBy(unreported, ({ token }) => token)].flatMap(([token, rows]) => {
    const candidates = broken
      .filter(({ order }) => callerName(order.caller) === token)
      .map(({ mark, order }) => mostOf(byMark.get(mark) ?? [], order.maxTokens))
      .toSorted((one, other) => Number(other - one));
    const paid = rows
      .map((row) => -BigInt(row.total))
      .filter((amount) => amount !== 0n)
      .toSorted((one, other) => Number(other - one));
    return paid.flatMap((amount, place) =>
      amount > 0n && amount <= (candidates[place] ?? 0n)
        ? []
        : [`${token} paid ${formatUsd(amount)} for a request that nobody knows`],
    );
  });
}

/**
 * One end, and the same amount in hold, ledger and log. The row in the log is missing where a gateway was killed before it had
 * written it and nobody wrote it in its place: for calls that cost nothing, and where the billing that noticed the new epoch
 * of the gateway was killed as well.
 */
function checkOutcome(
  { id, state, charged, rows, cost, ends }: Outcome,
  { charges }: Books,
  view: CallerView | undefined,
): string[] {
  const booked = charges.get(id);
  const paid = -BigInt(booked?.total ?? 0);
  const faults = [
    ...(state === 'open' ? ['is still held'] : []),
    ...((booked?.charges ?? 0) > 1 ? [`was charged ${booked?.charges} times`] : []),
    ...(state === null || BigInt(charged ?? 0) === paid
      ? []
      : [`is ${state} at ${charged} and paid ${paid}`]),
    ...(rows <= 1 ? [] : [`has ${rows} rows in the log`]),
    ...(rows === 0 || BigInt(cost ?? 0) === paid
      ? []
      : [`is logged as ${ends} with ${cost} and paid ${paid}`]),
  ];
  return faults.map((fault) => `${id} ${fault} (${describeView(view)})`);
}

function findUnloggedCharges({ charges, outcomes }: Books): string[] {
  const known = new Set(outcomes.map(({ id }) => id));
  return [...charges.keys()]
    .filter((id) => !known.has(id))
    .map((id) => `${id} was charged and has neither a hold nor a row in the log`);
}

function describeView(view: CallerView | undefined): string {
  const [first] = view?.attempts ?? [];
  if (!view || !first) return 'its caller was not shown it';
  const { mark, order } = first;
  const endings = view.attempts.map(({ ending, reason }) => `${ending} ${reason}`);
  return `${mark} ${order.model}${order.stream ? ', streamed' : ''}${order.patient ? ', patient' : ''}: ${endings.join(', ')}`;
}

async function checkTopUps({ query }: MoneyFleet, topUps: readonly TopUpAnswer[]): Promise<string[]> {
  const rows = await query<{ key: string; amounts: string[] }>(
    `select request_id as key, array_agg(amount::text) as amounts
       from entry where kind in ('topup', 'adjust') and wallet_id is not null group by 1`,
  );
  const booked = new Map(rows.map(({ key, amounts }) => [key, amounts]));
  return topUps.flatMap(({ order, walletId, key, statuses }) => {
    const amounts = booked.get(`${walletId}:${key}`) ?? [];
    const due = statuses.some((status) => status < 300) ? [String(order.amount)] : [];
    return amounts.join() === due.join()
      ? []
      : [
          `${key} of ${order.amount} was answered ${statuses.join()} and booked as ${amounts.join() || 'nothing'}`,
        ];
  });
}
