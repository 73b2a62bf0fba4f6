import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const RETRY_MS = 500;
const CHECK_MS = 5_000;

export interface JournalFollower {
  readonly listening: boolean;
  close(): Promise<void>;
}

/**
 * Calls `written` at each commit that appends to the journal, on a connection of its own that comes back when it is
 * cut. What is written meanwhile is covered by a call at each reconnection and by whoever polls besides.
 */
export function followJournal(
  url: string,
  written: () => void,
  failed: (error: Error) => void,
): JournalFollower {
  const stop = new AbortController();
  let client: Client | undefined;
  let listening = false;

  async function listen(): Promise<void> {
    client = new Client({
      connectionString: url,
      application_name: 'journal-follower',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    const cut = waitForEnd(client);
    client.on('notification', written);
    await client.connect();
    await client.query('listen journal_written');
    listening = true;
    written();
    await Promise.race([cut, checkForever(client, stop.signal)]);
  }

  const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await Promise.race([listen(), stopped]).catch((error: unknown) => {
        failed(error instanceof Error ? error : new Error(String(error)));
      });
      listening = false;
      // Not waited for: a connection that is still being made, or is half open, may never end.
      client?.end().catch(() => undefined);
      await sleep(RETRY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    get listening() {
      return listening;
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}

function waitForEnd(client: Client): Promise<void> {
  return new Promise((resolve) => {
    client.on('end', () => resolve());
    client.on('error', () => resolve());
  });
}

/** A half-open connection says nothing; asking something finds out. */
async function checkForever(client: Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(CHECK_MS, undefined, { signal });
    await client.query('select 1');
  }
}
