import { type FakeUpstream, findFreePorts, startTestServices } from '@mg/testkit';
import { Pool } from 'pg';
import { expect } from 'vitest';
import { type RawAnswer, request } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import { waitForModel } from '../deployment/knows-model.js';
import { PlaneProcess } from '../deployment/plane-process.js';
import { type Preparation, prepareDeployment } from '../deployment/prepare.js';
import { type ChannelPatience, writeSmallConfiguration } from '../deployment/small-configuration.js';
import { waitUntil } from '../wait-until.js';

const START_TIMEOUT_MS = 180_000;
/** Longer than a caller waits for a call whose gateway was lost. */
const ANSWERED_WITHIN_MS = 150_000;

type ReplicaKind = 'gateway' | 'billing' | 'console';

/** One process of a plane. */
export interface Replica {
  readonly url: string;
  readonly process: PlaneProcess;
}

/** Planes as processes, as many of a kind as wanted, on a Postgres and a Redis of their own. */
export interface ReplicaFleet {
  readonly upstream: FakeUpstream;
  /** Starts a plane under a name of its own, on a port of its own, and waits until it serves. */
  start(kind: ReplicaKind, instance: string, variables?: Readonly<Record<string, string>>): Promise<Replica>;
  /** Asks a gateway for a chat with the model `plain`, and reads the whole answer. */
  askChat(gateway: Replica, headers?: Readonly<Record<string, string>>): Promise<RawAnswer>;
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Waits until no money is held any more, and checks the ledger. */
  expectSettled(withinMs: number): Promise<void>;
}

/** Runs some work with a fleet that has one billing and a console, and stops everything afterwards. */
export async function withReplicaFleet(
  work: (fleet: ReplicaFleet) => Promise<void>,
  patience?: ChannelPatience,
): Promise<void> {
  const preparation = await prepareDeployment();
  const { upstream, jobs } = preparation;
  const addresses = { chatUrl: `${upstream.url}/`, videoUrl: `${jobs.url}/` };
  await preparation.writeConfiguration(writeSmallConfiguration({ ...addresses, patience }));
  const services = await startTestServices();
  const processes: PlaneProcess[] = [];
  const database = new Pool({ connectionString: services.databaseUrl, max: 2 });
  // A connection may still be closing when Postgres stops.
  database.on('error', () => undefined);
  const variables = {
    ...preparation.variables,
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
  };
  const fleet = createFleet({ ...preparation, variables }, processes, database);
  try {
    await fleet.start('billing', 'billing-1');
    await fleet.start('console', 'console-1');
    await work(fleet);
  } finally {
    await Promise.all(processes.map((plane) => plane.stop()));
    await database.end();
    await services.stop();
    await preparation.cleanUp();
  }
}

function createFleet(
  { upstream, variables }: Pick<Preparation, 'upstream' | 'variables'>,
  processes: PlaneProcess[],
  database: Pool,
): ReplicaFleet {
  const query = async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
    (await database.query<Row>(sql, [...values])).rows;
  return {
    upstream,
    query,
    async start(kind, instance, more = {}) {
      const [port = 0] = await findFreePorts(1);
      const url = `http://127.0.0.1:${port}`;
      const own = {
        INSTANCE_ID: instance,
        [`${kind.toUpperCase()}_PORT`]: String(port),
        LOG_LEVEL: 'warn',
        ...more,
      };
      const process = new PlaneProcess(kind, { ...variables, ...own }, `${url}/readyz`);
      processes.push(process);
      await process.waitUntilReady(START_TIMEOUT_MS);
      if (kind === 'gateway') await waitForModel(url, 'plain');
      return { url, process };
    },
    askChat: ({ url }, headers = {}) =>
      request({ gatewayUrl: url }, '/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ model: 'plain', messages: HELLO, max_tokens: 20 }),
        signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      }),
    async expectSettled(withinMs) {
      const countOpen = `select (select count(*) from hold where state = 'open')
        + (select count(*) from lease where state in ('open', 'shrunk', 'closing')) as open`;
      await waitUntil(
        'nothing is held',
        async () => (await query<{ open: string }>(countOpen))[0]?.open === '0',
        withinMs,
      );
      expect(await query('select * from money_drift()')).toEqual([]);
    },
  };
}
