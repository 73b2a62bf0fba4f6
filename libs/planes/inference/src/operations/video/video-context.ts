import {
  type Catalog,
  type Channel,
  type Environment,
  type TaskMoneyPort,
  nameInstallation,
} from '@mg/contract';
import { deriveSecretKey, loadChannel, storeOrders, WalletTasks } from '@mg/persistence/gateway';
import { deriveTaskKey, type TaskKey } from '@mg/protocols';
import { type Logger, PassThroughs } from '@mg/runtime';
import {
  createResultStore,
  createTaskWaker,
  JobHttp,
  type RedisScope,
  type ResultStore,
  type TaskWaker,
} from '@mg/transport';
import type { DataSource } from 'typeorm';
import { FairShare } from '../../access/fair-share.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import { TaskNotifications } from './task-notifications.js';

/** Orders of one wallet that billing is asked about at the same time; the others wait for their turn here. */
const OPENINGS_AT_ONCE = 4;
/** A connection and its traffic each, for nothing: videos at the same time, of one wallet and in all. */
const MOST_PASSED = { each: 16, total: 128 };
/** The same of videos that nobody else can serve: pages show them by their links. */
const MOST_SERVED = { each: 256, total: 1_024 };

/** What calls about video tasks work with beside the rest. */
export interface VideoContext {
  readonly tasks: WalletTasks;
  readonly money: TaskMoneyPort;
  /** By wallet: every order locks the wallet's row, and many at once would run out of time there. */
  readonly openings: FairShare;
  /** By wallet: videos that a provider would serve itself, and that are wanted through us. */
  readonly passThroughs: PassThroughs;
  /** By wallet: videos that we alone can serve, to keys and by links. */
  readonly served: PassThroughs;
  readonly waker: TaskWaker;
  readonly notifications: TaskNotifications;
  readonly key: TaskKey;
  /** Whether URLs that callers send may lead to private addresses, and be plain HTTP. */
  readonly allowPrivateUrls: boolean;
  readonly http: JobHttp;
  readonly results: ResultStore | undefined;
  /** A channel by its id, disabled ones included. */
  findChannel(id: string): Promise<Channel | undefined>;
  close(): Promise<void>;
}

/** What calls about videos work with. */
export interface VideoGateway extends GatewayContext {
  readonly video: VideoContext;
}

export interface VideoContextOptions {
  readonly environment: Environment;
  readonly database: DataSource;
  readonly redis: RedisScope;
  readonly money: TaskMoneyPort;
  readonly catalog: () => Catalog;
  readonly logger: Logger;
}

/** @throws Error when the result store is set up by halves. */
export function openVideoContext({
  environment,
  database,
  redis,
  money,
  catalog,
  logger,
}: VideoContextOptions): VideoContext {
  const { DATABASE_URL: databaseUrl = '', ENCRYPTION_KEY: encryptionKey = '' } = environment;
  const secretKey = deriveSecretKey(encryptionKey, environment.ENCRYPTION_KEY_PREVIOUS);
  const http = new JobHttp(nameInstallation(encryptionKey));
  const waker = createTaskWaker(redis, (error) =>
    logger.warn({ reason: error.message }, 'the queue of video tasks cannot be reached'),
  );
  const notifications = new TaskNotifications(databaseUrl, (error) =>
    logger.warn({ err: error }, 'changes of video tasks cannot be followed at the moment'),
  );
  return {
    tasks: new WalletTasks(database),
    money: storeOrders(money, database),
    openings: new FairShare({ perSecond: 0, burst: 0, atOnce: OPENINGS_AT_ONCE, waiting: Infinity }),
    passThroughs: new PassThroughs(MOST_PASSED),
    served: new PassThroughs(MOST_SERVED),
    waker,
    notifications,
    key: deriveTaskKey(encryptionKey, environment.ENCRYPTION_KEY_PREVIOUS),
    allowPrivateUrls: environment.ALLOW_PRIVATE_URLS,
    http,
    results: createResultStore(environment, http),
    findChannel: async (id) => findEnabled(catalog(), id) ?? (await loadChannel(database, secretKey, id)),
    async close() {
      await Promise.all([notifications.close(), waker.close(), http.close()]);
    },
  };
}

function findEnabled({ channelsBySlug }: Catalog, id: string): Channel | undefined {
  for (const channels of channelsBySlug.values()) {
    const found = channels.find((channel) => channel.id === id);
    if (found) return found;
  }
  return undefined;
}
