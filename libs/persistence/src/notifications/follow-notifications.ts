import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

export interface FollowOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Channels to listen on: names of our own, never somebody's input. */
  readonly channels: readonly string[];
  notified(channel: string, payload: string): void;
  /** The line is up; anything may have happened while it was not. */
  connected(): void;
  failed(error: Error): void;
}

export interface Follower {
  readonly listening: boolean;
  close(): Promise<void>;
}

const RETRY_MS = 500;
/** The kernel asks the other side from then on, every second and ten times: a connection that is lost ends in a quarter of a minute. */
const SILENT_MS = 5_000;
const CHECK_MS = 30_000;
const ANSWERS_WITHIN_MS = 10_000;

/** Follows what the database announces at commit, on a connection of its own that comes back when it is cut. */
export function followNotifications(options: FollowOptions): Follower {
  const stop = new AbortController();
  let client: Client | undefined;
  let listening = false;

  async function listen(): Promise<void> {
    client = new Client({
      connectionString: options.url,
      application_name: options.applicationName,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: SILENT_MS,
      query_timeout: ANSWERS_WITHIN_MS,
    });
    const cut = waitForEnd(client);
    client.on('notification', ({ channel, payload }) => options.notified(channel, payload ?? ''));
    await client.connect();
    for (const channel of options.channels) await client.query(`listen ${client.escapeIdentifier(channel)}`);
    listening = true;
    options.connected();
    await Promise.race([cut, checkForever(client, stop.signal)]);
  }

  const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await Promise.race([listen(), stopped]).catch((error: unknown) => {
        options.failed(error instanceof Error ? error : new Error(String(error)));
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

/** What stands between us and the server, or a server that is frozen, answers the kernel: asking something finds out. */
async function checkForever(client: Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(CHECK_MS, undefined, { signal });
    await client.query('select 1');
  }
}
