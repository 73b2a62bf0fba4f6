import { Client } from 'pg';
import { waitUntil } from '../wait-until.js';

const RECOVERED_WITHIN_MS = 180_000;

/**
 * A connection, as soon as Postgres has recovered from what was done to it before.
 *
 * @param findUrl asked before each try: a server that is started again may be elsewhere.
 */
export function connectPatiently(findUrl: () => string): Promise<Client> {
  const connect = async () => {
    const client = new Client({ connectionString: findUrl() });
    client.on('error', () => undefined);
    return client.connect().then(
      () => client,
      () => undefined,
    );
  };
  return waitUntil('Postgres after its recovery', connect, RECOVERED_WITHIN_MS);
}
