import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const POSTED_WITHIN_MS = 30_000;

export interface LedgerCount {
  readonly charges: number;
  readonly openHolds: number;
}

/** Counts the ledger's charges once every hold is resolved, every lease is given back and all usage is charged. */
export async function countCharges(databaseUrl: string): Promise<LedgerCount> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const untilMs = performance.now() + POSTED_WITHIN_MS;
    for (;;) {
      const { rows } = await client.query<{ charges: number; open_holds: number; waits: boolean }>(
        `select (select count(*)::int from entry where kind = 'charge' and wallet_id is not null) as charges,
                (select count(*)::int from hold where state = 'open') as open_holds,
                exists (select from usage_journal where posted_at is null)
                or exists (select from lease where state in ('open', 'shrunk', 'closing')) as waits`,
      );
      const [row] = rows;
      if (row && ((row.open_holds === 0 && !row.waits) || performance.now() > untilMs)) {
        return { charges: row.charges, openHolds: row.open_holds };
      }
      await sleep(100);
    }
  } finally {
    await client.end();
  }
}

/** @throws Error unless every answered request is one charge and nothing is held. */
export async function needExactLedger(databaseUrl: string, answered: number): Promise<void> {
  const { charges, openHolds } = await countCharges(databaseUrl);
  if (charges === answered && openHolds === 0) return;
  throw new Error(`${charges} charges for ${answered} answered requests, ${openHolds} holds open.`);
}
