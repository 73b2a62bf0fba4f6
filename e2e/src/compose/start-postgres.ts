import { dirname, join } from 'node:path';
import { createTcpProxy, startTestPostgres } from '@mg/testkit';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';

const PORT = 5_432;

export interface RunningDatabase {
  /** As the owner of the database. */
  readonly url: string;
  /** The file that it logs to. */
  readonly logFile: string;
  stop(): Promise<void>;
}

/** What the image of Postgres does: a server at the container's address, with the database and its owner of the environment. */
export async function startPostgres(
  address: string,
  environment: Readonly<Record<string, string>>,
): Promise<RunningDatabase> {
  const {
    POSTGRES_USER: user = '',
    POSTGRES_PASSWORD: password = '',
    POSTGRES_DB: database = '',
  } = environment;
  const server = await startTestPostgres();
  const [data] = await runEach(server.url, [
    'show data_directory',
    `create role ${escapeIdentifier(user)} superuser login password ${escapeLiteral(password)}`,
    `drop database if exists ${escapeIdentifier(database)}`,
    `create database ${escapeIdentifier(database)} owner ${escapeIdentifier(user)}`,
  ]);
  const line = await createTcpProxy(server.url, { host: address, port: PORT });
  return {
    url: `postgres://${user}:${password}@${address}:${PORT}/${database}`,
    logFile: join(dirname(String(data?.data_directory)), 'postgres.log'),
    stop: async () => {
      await line.close();
      await server.stop();
    },
  };
}

/** @returns the rows that they answer. */
async function runEach(url: string, statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const address = new URL(url);
  address.pathname = '/postgres';
  const client = new Client({ connectionString: address.href });
  await client.connect();
  try {
    const rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows.push(...(await client.query(statement)).rows);
    return rows;
  } finally {
    await client.end();
  }
}
