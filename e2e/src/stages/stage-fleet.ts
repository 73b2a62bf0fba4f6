import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, omitUndefined, readEnvironment, sha256 } from '@mg/contract';
import { deriveSecretKey, migrateDatabase, sealAllCredentials } from '@mg/persistence/migrate';
import { startBillingPlane } from '@mg/plane-billing';
import { startInferencePlane } from '@mg/plane-inference';
import { createLogger, type RunningPlane } from '@mg/runtime';
import {
  createTcpProxy,
  type FakeUpstream,
  seedPayer,
  startFakeUpstream,
  startPreparedServices,
  type TcpProxy,
} from '@mg/testkit';
import { Pool, type PoolClient } from 'pg';

const ENCRYPTION_KEY = 'encryption-key-of-the-stage-tests';
const PROVIDER_KEY = 'sk-provider-of-the-stage-tests';
/** What one call of a payer costs, in USD. */
const PRICE = '0.1';
const PRICE_NANO = 100_000_000n;

/** A gateway and a billing plane in this process, on a real Postgres and Redis. */
export interface StageFleet {
  readonly gatewayUrl: string;
  /** Addresses of all gateways, the first one included. */
  readonly gatewayUrls: readonly string[];
  readonly upstream: FakeUpstream;
  /** The key of every channel. */
  readonly providerKey: string;
  /**
   * Seeds a key whose wallet covers so many calls of a model of its own, which is served by channels that behave like this, the
   * first one first.
   *
   * @param quota calls that the key may spend; as many as the wallet covers when left out.
   */
  addCaller(calls: number, behaviours: readonly string[], quota?: number): Promise<Caller>;
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The way from the gateways to Redis; billing has its own. Where it was asked for. */
  readonly redis: TcpProxy | undefined;
  stopBilling(): Promise<void>;
  startBilling(): Promise<void>;
  stopGateways(): Promise<void>;
  stop(): Promise<void>;
}

export interface Caller {
  readonly key: string;
  readonly model: string;
  readonly walletId: string;
  readonly tokenId: string;
}

/** Whether a gateway admits calls in memory. */
export type LeaseMode = 'on' | 'off';

/** Of gateways whose tests do not say. */
export const CHOSEN_LEASES: LeaseMode = process.env['LEASES'] === 'off' ? 'off' : 'on';

export interface StageFleetOptions {
  /** A gateway for each. */
  readonly leases: readonly LeaseMode[];
  /** Whether the way to Redis can be cut. */
  readonly canCutRedis?: boolean;
}

export async function startStageFleet({
  leases,
  canCutRedis = false,
}: StageFleetOptions): Promise<StageFleet> {
  const services = await startPreparedServices(migrate);
  const directory = await mkdtemp(join(tmpdir(), 'mg-stages-'));
  const database = new Pool({ connectionString: services.databaseUrl, max: 4 });
  // A connection may still be closing when Postgres stops.
  database.on('error', () => undefined);
  const redis = canCutRedis ? await createTcpProxy(services.redisUrl) : undefined;
  const upstream = await startFakeUpstream({ acceptedKeys: [PROVIDER_KEY] });
  const options = {
    environment: readEnvironment({
      HOST: '127.0.0.1',
      BILLING_PORT: '0',
      GATEWAY_PORT: '0',
      DATA_DIR: directory,
      DATABASE_URL: services.databaseUrl,
      REDIS_URL: services.redisUrl,
      ENCRYPTION_KEY,
      DRAIN_TIMEOUT_SECONDS: '2',
    }),
    logger: createLogger({ plane: 'test', level: 'silent' }),
  };
  let billing: RunningPlane | undefined = await startBillingPlane(options);
  const gateways = await Promise.all(
    leases.map((mode, index) =>
      startInferencePlane({
        ...options,
        environment: {
          ...options.environment,
          INSTANCE_ID: `stage-${index}`,
          LEASES: mode === 'on',
          REDIS_URL: redis?.url ?? services.redisUrl,
        },
      }),
    ),
  );
  const gatewayUrls = gateways.map(({ address }) => address ?? '');
  const stopGateways = async () => {
    await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
  };
  return {
    gatewayUrl: gatewayUrls[0] ?? '',
    gatewayUrls,
    upstream,
    providerKey: PROVIDER_KEY,
    redis,
    async addCaller(calls, behaviours, quota) {
      const client = await database.connect();
      try {
        // At once: a gateway that has read the first of two channels would fail instead of asking the second.
        await client.query('begin');
        const stage = { database: client, upstreamUrl: upstream.url };
        const caller = await addCaller(stage, { calls, quota }, behaviours);
        await client.query('commit');
        return caller;
      } finally {
        client.release();
      }
    },
    async query<Row extends object>(sql: string, values: readonly unknown[] = []) {
      return (await database.query<Row>(sql, [...values])).rows;
    },
    async stopBilling() {
      await billing?.close();
      billing = undefined;
    },
    async startBilling() {
      billing = await startBillingPlane(options);
    },
    stopGateways,
    async stop() {
      await stopGateways();
      await billing?.close();
      await Promise.all([database.end(), upstream.close(), redis?.close()]);
      await services.stop();
      await rm(directory, { recursive: true });
    },
  };
}

async function migrate(url: string): Promise<void> {
  await migrateDatabase({ url, passwords: {} });
}

async function addCaller(
  { database, upstreamUrl }: { readonly database: PoolClient; readonly upstreamUrl: string },
  funds: { readonly calls: number; readonly quota: number | undefined },
  behaviours: readonly string[],
): Promise<Caller> {
  const balance = BigInt(funds.calls) * PRICE_NANO;
  const quota = funds.quota === undefined ? undefined : BigInt(funds.quota) * PRICE_NANO;
  const { model, tokenId, walletId } = await seedPayer(database, {
    balance,
    price: { per_request: PRICE },
    ...omitUndefined({ quota }),
  });
  const key = `sk-stage-${tokenId}`;
  await database.query('update token set key_hash = $1 where id = $2', [sha256(key), tokenId]);
  for (const [index, behaviour] of behaviours.entries()) {
    const id = newId();
    await database.query(
      `insert into channel (id, name, type, base_url, models, priority) values ($1, $2, 'openai-compatible', $3, $4, $5)`,
      [id, `channel-${id}`, `${upstreamUrl}/v1`, JSON.stringify({ [model]: behaviour }), -index],
    );
    const secrets = { apiKeys: [PROVIDER_KEY], settings: {} };
    await database.query('select channel_credentials_write($1, $2)', [
      id,
      JSON.stringify(sealAllCredentials(secrets, id, deriveSecretKey(ENCRYPTION_KEY))),
    ]);
  }
  return { key, model, walletId, tokenId };
}
