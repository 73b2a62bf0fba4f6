import { Client } from 'pg';
import { waitUntil } from '../wait-until.js';

const RECOVERED_WITHIN_MS = 180_000;

/** A connection, as soon as Postgres has recovered from what was done to it before. */
export function connectPatiently(url: string): Promise<Client> {
  const connect = async () => {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    return client.connect().then(
      () => client,
      () => undefined,
    );
  };
  return waitUntil('Postgres after its recovery', connect, RECOVERED_WITHIN_MS);
}
