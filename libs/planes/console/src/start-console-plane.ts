import { hostname } from 'node:os';
import { type Environment, EnvironmentError, type EnvironmentName } from '@mg/contract';
import {
  ConsoleStore,
  deriveSecretKey,
  openDatabase,
  readRedisSecret,
  reportPlane,
} from '@mg/persistence/console';
import {
  createMetrics,
  type Lifecycle,
  type PlaneOptions,
  PRODUCT_VERSION,
  type Registry,
  type RunningPlane,
  StandBy,
  startPlane,
  watchRefusedMessages,
} from '@mg/runtime';
import { createBillingClient, createChannelTester, RedisScope } from '@mg/transport';
import { AlertDispatcher } from './alerts/alert-dispatcher.js';
import { AlertDestinations } from './alerts/alert-destinations.js';
import { AlertSender } from './alerts/alert-sender.js';
import { AlertWatch } from './alerts/alert-watch.js';
import type { ConsoleBootstrap } from './configuration/apply-bootstrap.js';
import type { MadeKey } from './configuration/generated-keys.js';
import { readFirstConfiguration } from './configuration/follow-configuration.js';
import { openConsole } from './open-console.js';

const POOL_SIZE = 10;
const CLOSE_MS = 5_000;
/** For how long a plane that stops lets messages come to their end; what is cut is sent again by another. */
const ALERTS_MS = 3_000;

export interface ConsolePlaneOptions extends PlaneOptions {
  /** What a fresh installation begins with; not applied where the configuration file names an administrator. */
  readonly bootstrap?: ConsoleBootstrap;
  /** Shows a key that was made for the configuration file to whoever sits at the terminal: it stands in no log. */
  readonly onKeyMade?: (made: MadeKey) => void;
  /** Where the built page lies; without one only the API is served. */
  readonly pageDirectory?: string;
}

/**
 * Starts the control plane: the Console's API, the configuration file and everything that appears by itself.
 *
 * @throws ConfigurationError or EnvironmentError with a sentence; Error when the database or billing cannot be reached.
 */
export function startConsolePlane(options: ConsolePlaneOptions): Promise<RunningPlane> {
  const { environment, logger } = options;
  return startPlane('console', options, async (life) => {
    const [databaseUrl, redisUrl, jwtSecret, encryptionKey] = requireValues(environment);
    const configuration = await readFirstConfiguration({
      path: environment.GATEWAY_CONFIG,
      bootstrap: options.bootstrap,
      sandboxEnabled: environment.SANDBOX_ENABLED,
      variables: process.env,
    });
    const secretKey = deriveSecretKey(encryptionKey, environment.ENCRYPTION_KEY_PREVIOUS);
    const database = await openDatabase({
      url: databaseUrl,
      poolSize: POOL_SIZE,
      applicationName: 'console',
      standBy: new StandBy({ ...options, plane: 'console', portVariable: 'CONSOLE_PORT' }),
      secretKey,
    });
    life.onStop('database', { name: 'database', close: () => database.destroy() });
    const metrics = createMetrics('console', environment);
    const redis = new RedisScope({
      redisUrl,
      secret: await readRedisSecret(database),
      onRefused: watchRefusedMessages(metrics, logger),
    });
    const store = ConsoleStore.over(database);
    const plane = await openConsole({
      environment,
      logger,
      metrics,
      store,
      wallets: life.own('clients', 'billing', createBillingClient({ redis })),
      gateway: life.own('clients', 'gateway', createChannelTester(redis)),
      configuration,
      encryptionKey,
      jwtSecret,
      onKeyMade: options.onKeyMade,
      pageDirectory: options.pageDirectory,
    });
    life.own('intake', 'requests', plane, environment.DRAIN_TIMEOUT_SECONDS * 1_000 + CLOSE_MS);
    const destinations = new AlertDestinations(environment, secretKey, encryptionKey);
    startAlerts({ store, destinations, logger, metrics }, life);
    const report = reportPlane(database, {
      plane: 'console',
      instance: environment.INSTANCE_ID ?? `${hostname()}:${environment.CONSOLE_PORT}`,
      version: PRODUCT_VERSION,
    });
    life.own('background', 'report', report);
    return plane.address;
  });
}

interface Alerting {
  readonly store: ConsoleStore;
  readonly destinations: AlertDestinations;
  readonly logger: PlaneOptions['logger'];
  readonly metrics: Registry;
}

/** Operators are alerted by this plane, so that the watch is no part of what it watches. */
function startAlerts({ store, destinations, logger, metrics }: Alerting, life: Lifecycle): void {
  const dispatcher = new AlertDispatcher(store, new AlertSender(store, destinations), logger, metrics);
  const watch = new AlertWatch({ store, destinations, logger, onMessages: () => dispatcher.wake() });
  for (const part of [watch, dispatcher]) part.start();
  life.own('background', 'watch for alerts', watch, ALERTS_MS);
  life.own('background', 'alerts under way', dispatcher, ALERTS_MS);
}

const REQUIRED = [
  'DATABASE_URL',
  'REDIS_URL',
  'JWT_SECRET',
  'ENCRYPTION_KEY',
] as const satisfies EnvironmentName[];

function requireValues(environment: Environment): [string, string, string, string] {
  const missing = REQUIRED.filter((name) => environment[name] === undefined);
  if (missing.length > 0) throw new EnvironmentError(`${missing.join(', ')}: required by the console.`);
  return REQUIRED.map((name) => environment[name]) as [string, string, string, string];
}
