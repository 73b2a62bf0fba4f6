import { join } from 'node:path';
import { Client } from 'pg';
import { findFreePort } from '../server/find-free-port.js';
import { launchServer, type RunningServer } from '../server/launch-server.js';
import type { Place } from './choose-place.js';
import { POSTGRES_ENV, POSTGRES_USER } from './create-cluster.js';
import type { PostgresHome } from './install-binaries.js';

export interface PostgresRun {
  readonly home: PostgresHome;
  readonly place: Place;
  readonly data: string;
  readonly password: string;
  readonly logFile: string;
  /** Settings beyond those that every embedded server has. */
  readonly settings: Readonly<Record<string, string>>;
  readonly removeOnStop?: string;
  readonly onProgress?: ((sentence: string) => void) | undefined;
}

export interface RunningPostgres extends RunningServer {
  readonly url: string;
}

const DATABASE = 'model_gateway';
const PORT_TRIES = 5;

/** Reached over the loopback address alone; no standby, no replication. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  max_connections: '200',
  wal_level: 'minimal',
  max_wal_senders: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** Runs a server over a finished data directory, on a port that is free, with the product's database in it. */
export async function runPostgres(run: PostgresRun): Promise<RunningPostgres> {
  for (let tries = 1; ; tries++) {
    const port = await findFreePort();
    const address = `postgres://${POSTGRES_USER}:${run.password}@127.0.0.1:${port}`;
    try {
      const server = await launchServer({
        ...run,
        ...run.place.account,
        name: 'Postgres',
        command: join(run.home, 'bin/postgres'),
        parameters: ['-D', run.data, '-p', String(port), ...toParameters({ ...SETTINGS, ...run.settings })],
        env: POSTGRES_ENV,
        // "Fast" shutdown: open sessions are ended, committed work is written.
        stopSignal: 'SIGINT',
        ping: () => makeDatabase(`${address}/postgres`),
      });
      return { url: `${address}/${DATABASE}`, stop: server.stop };
    } catch (error) {
      const isPortTaken = String(error).includes('Address already in use');
      if (!isPortTaken || tries === PORT_TRIES) throw error;
    }
  }
}

function toParameters(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Rejects while the server does not accept connections yet. */
async function makeDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
