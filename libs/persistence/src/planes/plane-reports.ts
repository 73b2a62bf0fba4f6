import { setTimeout as sleep } from 'node:timers/promises';
import { omitUndefined } from '@mg/contract';
import type { DataSource } from 'typeorm';

const EVERY_MS = 5_000;
/** A database that does not answer must not keep a process from stopping. */
const LEAVE_WITHIN_MS = 1_000;

/** A cooldown: a channel that a gateway does not use for a model for a while. */
export interface CooldownReport {
  readonly channel_id: string;
  readonly model: string;
  readonly until: string;
  readonly failures: number;
  /** The key that is left out, where it is not the whole channel. */
  readonly key?: string;
  /** How it failed last. */
  readonly reason?: string;
}

/** What a plane reports besides its heartbeat. */
export interface PlaneDetails {
  /** Gateways and video workers: cooldowns of channels. */
  readonly resting?: readonly CooldownReport[];
  /** Billing: figures that are not the sums they should be, at the last check. */
  readonly drift_rows?: number;
}

export interface PlaneFacts {
  readonly plane: string;
  /** Name of the process among those of its plane. */
  readonly instance: string;
  readonly version: string;
}

export interface PlaneReporter {
  /** Takes the process off the list: it stopped in good order. */
  close(): Promise<void>;
}

/**
 * Reports every few seconds that a process is alive, for the system page of the Console. Nothing depends on it: a report that
 * cannot be written is left out.
 */
export function reportPlane(
  database: DataSource,
  facts: PlaneFacts,
  describe: () => PlaneDetails = () => ({}),
): PlaneReporter {
  const startedAt = new Date();
  let writing = Promise.resolve();
  const report = () => {
    writing = writeReport(database, facts, startedAt, describe()).catch(() => undefined);
  };
  report();
  const timer = setInterval(report, EVERY_MS).unref();
  return {
    async close() {
      clearInterval(timer);
      const leave = writing.then(() => deleteReport(database, facts)).catch(() => undefined);
      await Promise.race([leave, sleep(LEAVE_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}

/** Names of the processes of a plane that were alive within the last minute. */
export async function listLiving(database: DataSource, plane: string): Promise<string[]> {
  const rows = await database.query<{ instance: string }[]>(
    `select instance from plane_report where plane = $1 and seen_at > now() - interval '1 minute'`,
    [plane],
  );
  return rows.map(({ instance }) => instance);
}

/** A cooldown as it is reported: by the clock on the wall, since each process has a stopwatch of its own. */
export function toCooldownReport(cooldown: {
  readonly channelId: string;
  readonly slug: string;
  readonly cooldownMs: number;
  readonly consecutiveFailures: number;
  readonly key?: string | undefined;
  readonly reason?: string | undefined;
}): CooldownReport {
  return omitUndefined({
    channel_id: cooldown.channelId,
    model: cooldown.slug,
    until: new Date(Date.now() + cooldown.cooldownMs).toISOString(),
    failures: cooldown.consecutiveFailures,
    key: cooldown.key,
    reason: cooldown.reason,
  });
}

async function deleteReport(database: DataSource, { plane, instance }: PlaneFacts): Promise<void> {
  await database.query('delete from plane_report where plane = $1 and instance = $2', [plane, instance]);
}

async function writeReport(
  database: DataSource,
  { plane, instance, version }: PlaneFacts,
  startedAt: Date,
  details: PlaneDetails,
): Promise<void> {
  await database.query(
    `insert into plane_report (plane, instance, version, started_at, details) values ($1, $2, $3, $4, $5)
     on conflict (plane, instance) do update set version = excluded.version, started_at = excluded.started_at,
       seen_at = now(), details = excluded.details`,
    [plane, instance, version, startedAt, JSON.stringify(details)],
  );
}
