import type { DataSource } from 'typeorm';

/** Where gateways tell each other which channels have failed. */
export const HEALTH_CHANNEL = 'channel_health';

/** Announces a change to the other gateways. Postgres takes up to 8,000 bytes. */
export async function announceHealth(database: DataSource, payload: string): Promise<void> {
  await database.query('select pg_notify($1, $2)', [HEALTH_CHANNEL, payload]);
}
