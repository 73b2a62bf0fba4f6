import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Replica, ReplicaFleet } from '../outages/replica-fleet.js';
import { waitUntil } from '../wait-until.js';

export interface UsageDrillPlan {
  readonly kills: number;
  /** Whether the gateway admits calls in memory. */
  readonly leases: 'on' | 'off';
  readonly say: (line: string) => void;
}

export interface UsageDrillReport {
  readonly kills: number;
  /** Calls whose answers came whole, by kind. */
  readonly answered: Readonly<Record<CallKind, number>>;
  /** Calls that a kill broke off. */
  readonly broken: number;
  /** Calls that were admitted from a lease. */
  readonly leased: number;
  /** Rows that a gateway found of its earlier epoch. */
  readonly replayedRows: number;
  /** Sentences about everything that should not be. */
  readonly faults: readonly string[];
}

type CallKind = 'whole' | 'streamed';

interface AnsweredCall {
  readonly kind: CallKind;
  readonly requestId: string;
}

const CALLERS_OF_A_KIND = 8;
/** Answers of each life of the gateway before it is killed, so that the kill comes under load. */
const ANSWERS_BEFORE_KILL = 100;
const KILL_WITHIN_MS = 120;
const READY_WITHIN_MS = 60_000;
/** Callers of a gateway that is not there. */
const AGAIN_MS = 200;
const BOOKED_WITHIN_MS = 90_000;

/** Callers who never rest, of whole and of streamed answers, while the gateway is killed again and again. */
class Callers {
  readonly answered: AnsweredCall[] = [];
  broken = 0;
  #isStopping = false;
  readonly #loops: readonly Promise<void>[];

  constructor(private readonly gateway: Replica) {
    const kinds: readonly CallKind[] = ['whole', 'streamed'];
    this.#loops = kinds.flatMap((kind) =>
      Array.from({ length: CALLERS_OF_A_KIND }, () => this.#callOnAndOn(kind)),
    );
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#loops);
  }

  async #callOnAndOn(kind: CallKind): Promise<void> {
    while (!this.#isStopping) {
      const requestId = await this.#call(kind);
      if (requestId === undefined) await sleep(AGAIN_MS);
      else this.answered.push({ kind, requestId });
    }
  }

  /** @returns the request's id when the caller has the whole answer. */
  async #call(kind: CallKind): Promise<string | undefined> {
    try {
      const { status, headers, text } = await request(
        { gatewayUrl: this.gateway.url },
        '/v1/chat/completions',
        {
          method: 'POST',
          headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'plain',
            messages: HELLO,
            max_tokens: 20,
            stream: kind === 'streamed',
          }),
        },
      );
      if (status !== 200 || (kind === 'streamed' && !text.includes('data: [DONE]'))) return undefined;
      return headers.get('x-request-id') ?? undefined;
    } catch (error) {
      if (!isRefused(error)) this.broken++;
      return undefined;
    }
  }
}

/** Whether the gateway was not there at all. */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

/** Kills a gateway under load as often as planned, then looks whether every answer was charged, and once. */
export async function runUsageDrill(
  fleet: ReplicaFleet,
  { kills, leases, say }: UsageDrillPlan,
): Promise<UsageDrillReport> {
  const gateway = await fleet.start('gateway', `usage-drill-${leases}`, { LEASES: leases });
  const callers = new Callers(gateway);
  for (let kill = 1; kill <= kills; kill++) {
    const before = callers.answered.length;
    await waitUntil(
      'answers',
      () => callers.answered.length >= before + ANSWERS_BEFORE_KILL,
      READY_WITHIN_MS,
    );
    await sleep(Math.random() * KILL_WITHIN_MS);
    await gateway.process.crash();
    await gateway.process.waitUntilReady(READY_WITHIN_MS);
    say(`kill ${kill} of ${kills}: ${callers.answered.length} answered, ${callers.broken} broken off`);
  }
  await callers.stop();
  await waitUntil('everything is booked', () => isBooked(fleet), BOOKED_WITHIN_MS);
  await gateway.process.stop();
  const { answered, broken } = callers;
  const count = (kind: CallKind) => answered.filter((call) => call.kind === kind).length;
  return {
    kills,
    answered: { whole: count('whole'), streamed: count('streamed') },
    broken,
    leased: await countLeased(fleet),
    replayedRows: countReplayedRows(gateway.process.readOutput()),
    faults: await findFaults(fleet, answered),
  };
}

async function isBooked(fleet: ReplicaFleet): Promise<boolean> {
  const [row] = await fleet.query<{ waits: boolean }>(
    `select exists (select from hold where state = 'open')
            or exists (select from lease where state in ('open', 'shrunk', 'closing'))
            or exists (select from usage_journal where posted_at is null) as waits`,
  );
  return row?.waits === false;
}

async function countLeased(fleet: ReplicaFleet): Promise<number> {
  const [row] = await fleet.query<{ leased: number }>(
    'select count(distinct request_id)::int as leased from usage_journal where lease_id is not null',
  );
  return row?.leased ?? 0;
}

interface Charges {
  readonly request_id: string;
  readonly charges: number;
  readonly amount: string;
}

async function findFaults(fleet: ReplicaFleet, answered: readonly AnsweredCall[]): Promise<string[]> {
  const rows = await fleet.query<Charges>(
    `select request_id, count(*) filter (where kind in ('charge', 'late_charge'))::int as charges,
            sum(amount)::text as amount
       from entry where wallet_id is not null and request_id is not null group by 1`,
  );
  const booked = new Map(rows.map((row) => [row.request_id, row]));
  const uncharged = answered.filter(({ requestId }) => !(BigInt(booked.get(requestId)?.amount ?? 0) < 0n));
  const twice = rows.filter(({ charges }) => charges > 1);
  const drift = await fleet.query('select * from money_drift()');
  return [
    ...uncharged.map(({ kind, requestId }) => `${requestId} (${kind}) was answered and not charged`),
    ...twice.map(({ request_id: id, charges }) => `${id} was charged ${charges} times`),
    ...drift.map((row) => `the ledger does not balance: ${JSON.stringify(row)}`),
  ];
}

function countReplayedRows(output: string): number {
  return output
    .split('\n')
    .filter((line) => line.includes('left in the spool has been written'))
    .reduce((sum, line) => sum + Number(/"rows":(\d+)/.exec(line)?.[1] ?? 0), 0);
}
