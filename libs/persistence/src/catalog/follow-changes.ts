import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface ChangeReader {
  /** Channels, models or prices changed: read the catalog again. */
  catalogChanged(): void;
  /** The token of this key hash changed: forget it. */
  tokenChanged(keyHash: string): void;
  /** The line was cut and is up again: anything may have changed meanwhile. */
  reconnected(): void;
  failed(error: Error): void;
}

const RETRY_MS = 500;
const CHECK_MS = 5_000;

/**
 * Follows the announcements that the database makes at each commit, on a connection of its own that comes back when
 * it is cut. Delivery is immediate, and `reconnected` covers what was missed.
 */
export function followChanges(url: string, reader: ChangeReader): { close(): Promise<void> } {
  const stop = new AbortController();
  let client: pg.Client | undefined;

  async function run(): Promise<void> {
    for (let first = true; !stop.signal.aborted; first = false) {
      try {
        client = new pg.Client({
          connectionString: url,
          application_name: 'catalog-changes',
          keepAlive: true,
        });
        const cut = waitForEnd(client);
        client.on('notification', (message) => announce(message, reader));
        await client.connect();
        await client.query('listen catalog_changed; listen token_changed');
        if (!first) reader.reconnected();
        await Promise.race([cut, checkForever(client, stop.signal)]);
      } catch (error) {
        if (!stop.signal.aborted) reader.failed(error instanceof Error ? error : new Error(String(error)));
      }
      await client?.end().catch(() => undefined);
      await sleep(RETRY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    async close() {
      stop.abort();
      await client?.end().catch(() => undefined);
      await running;
    },
  };
}

function announce(message: pg.Notification, reader: ChangeReader): void {
  if (message.channel === 'token_changed') reader.tokenChanged(message.payload ?? '');
  else reader.catalogChanged();
}

function waitForEnd(client: pg.Client): Promise<void> {
  return new Promise((resolve) => {
    client.on('end', () => resolve());
    client.on('error', () => resolve());
  });
}

/** A half-open connection says nothing; asking something finds out. */
async function checkForever(client: pg.Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(CHECK_MS, undefined, { signal });
    await client.query('select 1');
  }
}
