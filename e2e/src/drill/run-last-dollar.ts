import { setTimeout as sleep } from 'node:timers/promises';
import { formatUsd } from '@mg/contract';
import { createGate } from '@mg/testkit';
import { ConsoleClient } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { createRandom } from '../create-random.js';
import { waitUntil } from '../wait-until.js';
import { FLAT_COST, LAST_DOLLAR_KEYS, LAST_DOLLAR_WALLET } from './money-configuration.js';
import type { MoneyFleet } from './money-fleet.js';

export interface LastDollarPlan {
  readonly rounds: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface LastDollarReport {
  readonly seed: number;
  readonly rounds: number;
  /** Calls that funds were there for, in all rounds together: so many were answered. */
  readonly covered: number;
  /** Calls among them that a lease admitted. */
  readonly leased: number;
  readonly refused: number;
  /** Requests that the gateway had no time for, and that were sent again. */
  readonly askedAgain: number;
  readonly seconds: number;
  readonly faults: readonly string[];
}

const PARALLEL = 500;
const MOST_COVERED = 100;
/** Calls that funds are there for beside the last ones, in rounds that begin with leases: a gateway gets none where few are left. */
const AMPLE = 200;
/** Calls at every gateway with both keys, again until each gateway has a lease: five of a key within two seconds are worth one. */
const CALLS_FOR_LEASES = 12;
const LOOKS_FOR_LEASES = 10;
const LOOK_MS = 30;
const OK = 200;
const NO_FUNDS = 402;
const AGAIN_MS = 200;
const ANSWERED_WITHIN_MS = 120_000;
const SETTLED_WITHIN_MS = 60_000;

interface Round {
  readonly number: number;
  readonly covered: number;
  /** Nano-dollars that are not enough for one more call. */
  readonly remainder: bigint;
  /** Whether the provider answers nobody before everybody else was refused. */
  readonly isGated: boolean;
  /** Whether gateways are given leases before, of what is then fought for. */
  readonly isLeased: boolean;
}

interface Wallet {
  readonly id: string;
  readonly balance: string;
  readonly held: string;
}

/** Far more parallel calls than there are funds for, by two keys of a wallet at every gateway, again and again. */
export async function runLastDollar(
  fleet: MoneyFleet,
  { rounds, seed, say }: LastDollarPlan,
): Promise<LastDollarReport> {
  const random = createRandom(seed);
  const startedMs = performance.now();
  const console = await ConsoleClient.asAdmin(fleet);
  const report = { covered: 0, refused: 0, askedAgain: 0, faults: [] as string[] };
  const leasedBefore = await countLeased(fleet);
  for (let number = 1; number <= rounds; number++) {
    const round: Round = {
      number,
      covered: Math.floor(random() * (MOST_COVERED + 1)),
      remainder: BigInt(Math.floor(random() * Number(FLAT_COST))),
      isGated: random() < 0.5,
      isLeased: number % 2 === 0,
    };
    const { covered, refused, askedAgain, faults } = await playRound(fleet, console, round);
    report.covered += covered;
    report.refused += refused;
    report.askedAgain += askedAgain;
    report.faults.push(...faults);
    say(`round ${number} of ${rounds}: ${covered} covered, ${refused} refused, ${askedAgain} asked again`);
  }
  const leased = (await countLeased(fleet)) - leasedBefore;
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  return { seed, rounds, seconds, leased, ...report };
}

async function playRound(
  fleet: MoneyFleet,
  console: ConsoleClient,
  round: Round,
): Promise<Pick<LastDollarReport, 'covered' | 'refused' | 'askedAgain' | 'faults'>> {
  const { number, remainder, isGated, isLeased } = round;
  const filled = isLeased ? round.covered + AMPLE : round.covered;
  const wallet = await fillWallet(fleet, console, { ...round, covered: filled });
  const chargesBefore = await countCharges(fleet, wallet.id);
  const servedBefore = countServed(fleet);
  const covered = isLeased ? filled - (await openLeases(fleet)) : filled;
  const gate = createGate();
  fleet.upstream.script('flat', isGated ? { wait: gate.wait } : {});
  const statuses: number[] = [];
  let askedAgain = 0;
  const asking = Array.from({ length: PARALLEL }, async (_, place) => {
    const { status, tries } = await askUntilAnswered(fleet, place);
    statuses.push(status);
    askedAgain += tries - 1;
  });
  if (isGated) {
    const refused = () => statuses.length >= PARALLEL - covered;
    await waitUntil('everybody else was refused', refused, ANSWERED_WITHIN_MS);
  }
  gate.open();
  await Promise.all(asking);
  const after = await waitUntil('nothing is held', () => findSettled(fleet), SETTLED_WITHIN_MS);
  const found = {
    answered: statuses.filter((status) => status === OK).length,
    refused: statuses.filter((status) => status === NO_FUNDS).length,
    served: countServed(fleet) - servedBefore,
    charges: (await countCharges(fleet, wallet.id)) - chargesBefore,
    balance: after.balance,
  };
  const expected = {
    answered: covered,
    refused: PARALLEL - covered,
    served: filled,
    charges: filled,
    balance: String(remainder),
  };
  const isExact = JSON.stringify(found) === JSON.stringify(expected);
  const faults = isExact
    ? []
    : [`round ${number} ended with ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`];
  return { covered, refused: found.refused, askedAgain, faults };
}

/** Brings the balance to exactly what the round needs, by one movement that is sent twice. */
async function fillWallet(
  fleet: MoneyFleet,
  console: ConsoleClient,
  { number, covered, remainder }: Round,
): Promise<Wallet> {
  const wallet = await findWallet(fleet);
  const missing = BigInt(covered) * FLAT_COST + remainder - BigInt(wallet.balance);
  if (missing === 0n) return wallet;
  const body = { amount: formatUsd(missing), note: `round ${number}`, idempotency_key: `round-${number}` };
  await Promise.all([1, 2].map(() => console.demand('POST', `/wallets/${wallet.id}/topups`, body)));
  return findWallet(fleet);
}

/** Calls until every gateway has a lease of the wallet, or half of what is ample is spent. @returns how many calls that took. */
async function openLeases(fleet: MoneyFleet): Promise<number> {
  const atOnce = CALLS_FOR_LEASES * fleet.gatewayUrls.length;
  let spent = 0;
  while (spent + atOnce <= AMPLE / 2 && !(await haveLeases(fleet))) {
    await Promise.all(Array.from({ length: atOnce }, (_, place) => askUntilAnswered(fleet, place)));
    spent += atOnce;
  }
  return spent;
}

/** Leases are asked for beside the calls: looks for a while whether every gateway has got one. */
async function haveLeases(fleet: MoneyFleet): Promise<boolean> {
  for (let look = 0; look < LOOKS_FOR_LEASES; look++) {
    if ((await countLessees(fleet)) === fleet.gatewayUrls.length) return true;
    await sleep(LOOK_MS);
  }
  return false;
}

async function countLessees({ query }: MoneyFleet): Promise<number> {
  const [row] = await query<{ count: number }>(
    `select count(distinct lease.owner_instance)::int as count from lease join wallet on wallet.id = lease.wallet_id
      where wallet.name = $1 and lease.state = 'open'`,
    [LAST_DOLLAR_WALLET],
  );
  return row?.count ?? 0;
}

async function countLeased({ query }: MoneyFleet): Promise<number> {
  const [row] = await query<{ count: number }>(
    'select count(distinct request_id)::int as count from usage_journal where lease_id is not null',
  );
  return row?.count ?? 0;
}

/** Asks one of the gateways with one of the keys, again for as long as it has no time. */
async function askUntilAnswered(
  { gatewayUrls }: MoneyFleet,
  place: number,
): Promise<{ readonly status: number; readonly tries: number }> {
  for (let tries = 1; ; tries++) {
    const gatewayUrl = gatewayUrls[place % gatewayUrls.length] ?? '';
    const { status } = await request({ gatewayUrl }, '/v1/chat/completions', {
      method: 'POST',
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      headers: {
        authorization: `Bearer ${LAST_DOLLAR_KEYS[Math.floor(place / gatewayUrls.length) % 2]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model: 'flat', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    if (status === OK || status === NO_FUNDS) return { status, tries };
    await sleep(AGAIN_MS);
  }
}

async function findWallet({ query }: MoneyFleet): Promise<Wallet> {
  const [wallet] = await query<Wallet>('select id, balance, held from wallet where name = $1', [
    LAST_DOLLAR_WALLET,
  ]);
  if (!wallet) throw new Error('The wallet of the last dollar is missing.');
  return wallet;
}

/** The wallet once nothing of it is held and all usage is posted. */
async function findSettled(fleet: MoneyFleet): Promise<Wallet | undefined> {
  const wallet = await findWallet(fleet);
  return (await isPosted(fleet)) && wallet.held === '0' ? wallet : undefined;
}

async function isPosted({ query }: MoneyFleet): Promise<boolean> {
  const [waiting] = await query<{ count: string }>(
    'select count(*) as count from usage_journal where posted_at is null',
  );
  return waiting?.count === '0';
}

async function countCharges({ query }: MoneyFleet, walletId: string): Promise<number> {
  const [row] = await query<{ count: string }>(
    `select count(*) as count from entry where wallet_id = $1 and token_id is not null`,
    [walletId],
  );
  return Number(row?.count);
}

function countServed({ upstream }: MoneyFleet): number {
  return upstream.calls.filter(({ model }) => model === 'flat').length;
}
