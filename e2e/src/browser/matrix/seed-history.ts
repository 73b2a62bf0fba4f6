import { Client } from 'pg';
import { waitUntil } from '../../wait-until.js';

const SUMMED_WITHIN_MS = 60_000;

/** Each sum of today again on the days before, and in the hours before, more on some than on others. */
const REPEAT = `
  insert into usage_cell
  select (jsonb_populate_record(cell, jsonb_build_object(
    'at', cell.at - n * case cell.grain when 'day' then interval '1 day' else interval '1 hour' end,
    'calls', cell.calls * (1 + n * 7 % 5), 'cost', cell.cost * (1 + n * 7 % 5), 'errors', cell.errors * (n % 3)))).*
  from usage_cell cell, generate_series(1, 40) as n
  on conflict do nothing`;

/** Lets the overview show weeks of calls, once the sums of those that were made are there. */
export async function seedHistory(databaseUrl: string, calls: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const count = async () => {
      const { rows } = await client.query<{ calls: string }>(
        `select coalesce(sum(calls), 0) as calls from usage_cell where grain = 'day'`,
      );
      return Number(rows[0]?.calls);
    };
    await waitUntil('the sums of all calls', async () => (await count()) >= calls, SUMMED_WITHIN_MS);
    await client.query(REPEAT);
  } finally {
    await client.end();
  }
}
