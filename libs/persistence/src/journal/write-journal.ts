import { type JournalRow, type RequestLogRow, toStorableJson, usageToRow, wasteToRows } from '@mg/contract';
import type { DataSource } from 'typeorm';

/** Rows, and attempts in them, that are written in one step: after an outage each row has several, in an upstream's words. */
const WRITTEN_AT_ONCE = 500;

/**
 * Appends journal rows, those that there usually are in one round trip. Rows that are there already stay: writing twice is
 * writing once.
 */
export async function writeJournal(database: DataSource, rows: readonly JournalRow[]): Promise<void> {
  for (const some of cutRows(rows, ({ waste }) => waste?.length ?? 0)) await writeJournalRows(database, some);
}

async function writeJournalRows(database: DataSource, rows: readonly JournalRow[]): Promise<void> {
  await database.query(
    `insert into usage_journal (request_id, seq, phase, usage, estimated, wallet_id, token_id, price_version_id, waste,
            lease_id, lease_worst)
     select request_id, seq, phase, usage, estimated, wallet_id, token_id, price_version_id, waste, lease_id, lease_worst
       from jsonb_to_recordset($1::jsonb)
         as r(request_id uuid, seq integer, phase text, usage jsonb, estimated boolean, wallet_id uuid, token_id uuid,
              price_version_id uuid, waste jsonb, lease_id uuid, lease_worst bigint)
     on conflict do nothing`,
    [
      toStorableJson(
        rows.map((row) => ({
          request_id: row.requestId,
          seq: row.seq,
          phase: row.phase,
          usage: usageToRow(row.usage),
          estimated: row.estimated,
          wallet_id: row.payer?.walletId,
          token_id: row.payer?.tokenId,
          price_version_id: row.payer?.priceVersionId,
          waste: row.waste && wasteToRows(row.waste),
          lease_id: row.lease?.id,
          lease_worst: row.lease?.worst.toString(),
        })),
      ),
    ],
  );
}

/**
 * Appends rows of the request log, those that there usually are in one round trip. A row holds text of callers and upstreams; what Postgres cannot store
 * of them is replaced, so that no call can keep itself out of the log.
 */
export async function writeRequestLog(database: DataSource, rows: readonly RequestLogRow[]): Promise<void> {
  for (const some of cutRows(rows, ({ attempts }) => attempts.length)) await writeLogRows(database, some);
}

function* cutRows<Row>(rows: readonly Row[], countAttempts: (row: Row) => number): Generator<readonly Row[]> {
  let some: Row[] = [];
  let weight = 0;
  for (const row of rows) {
    some.push(row);
    weight += 1 + countAttempts(row);
    if (weight < WRITTEN_AT_ONCE) continue;
    yield some;
    some = [];
    weight = 0;
  }
  if (some.length > 0) yield some;
}

async function writeLogRows(database: DataSource, rows: readonly RequestLogRow[]): Promise<void> {
  await database.query(
    `insert into request_log (request_id, created_at, user_id, token_id, token_name, wallet_id, model, endpoint, channel,
            status, error_code, stream, latency_ms, ttft_ms, usage, cost, estimated, reason, attempts, price_version_id,
            lease_id, error_message, asked_model)
     select * from jsonb_to_recordset($1::jsonb)
       as r(request_id uuid, created_at timestamptz, user_id uuid, token_id uuid, token_name text, wallet_id uuid,
            model text, endpoint text, channel text, status integer, error_code text, stream boolean,
            latency_ms integer, ttft_ms integer, usage jsonb, cost bigint, estimated boolean, reason text,
            attempts jsonb, price_version_id uuid, lease_id uuid, error_message text, asked_model text)
     on conflict do nothing`,
    [toStorableJson(rows.map(toLogColumns))],
  );
}

function toLogColumns(row: RequestLogRow): Record<string, unknown> {
  return {
    request_id: row.requestId,
    created_at: row.createdAt,
    user_id: row.userId,
    token_id: row.tokenId,
    token_name: row.tokenName,
    wallet_id: row.walletId,
    model: row.model,
    endpoint: row.endpoint,
    channel: row.channel,
    status: row.status,
    error_code: row.errorCode,
    stream: row.stream,
    latency_ms: row.latencyMs,
    ttft_ms: row.ttftMs,
    usage: usageToRow(row.usage),
    cost: row.cost.toString(),
    estimated: row.estimated,
    reason: row.reason,
    attempts: row.attempts,
    price_version_id: row.priceVersionId,
    lease_id: row.leaseId,
    error_message: row.errorMessage,
    asked_model: row.askedModel,
  };
}
