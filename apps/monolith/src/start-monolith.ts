import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '@mg/contract';
import { startEmbeddedPostgres, startEmbeddedRedis } from '@mg/embedded';
import { startBillingPlane } from '@mg/plane-billing';
import { startConsolePlane } from '@mg/plane-console';
import { startGateway } from '@mg/plane-inference';
import { startVideoPlane } from '@mg/plane-video';
import {
  createLogger,
  DEFAULT_PLANE_HOST,
  Lifecycle,
  type PlaneOptions,
  type RunningPlane,
  runStart,
} from '@mg/runtime';
import { makeDataDirectory, readOrMakeSecrets, type Secrets } from './data-directory.js';
import { FIRST_ADMIN, FIRST_TOKEN } from './first-login.js';
import { printLine, printWelcome, toReachable } from './welcome.js';

/** Where the build puts the Console's page, beside this app. */
const PAGE_DIRECTORY = fileURLToPath(new URL('../console-web', import.meta.url));

/** Phases in which the process stops: who uses another goes before it. */
const STOP_ORDER = ['planes', 'billing', 'redis', 'postgres'] as const;
type Monolith = Lifecycle<(typeof STOP_ORDER)[number]>;

/** A plane takes so long beyond its drain at most. */
const PLANE_MARGIN_MS = 13_000;
/** An embedded server is killed after ten seconds. */
const SERVER_STOPS_MS = 12_000;

/**
 * Starts every plane in this process, on an embedded Postgres and Redis where no address is given. The planes are the
 * same as anywhere else: only addresses differ. Where the gateway has several workers, those are processes of their own.
 */
export function startMonolith(options: PlaneOptions): Promise<RunningPlane> {
  const { environment: given, logger, signal } = options;
  const life: Monolith = new Lifecycle('monolith', STOP_ORDER, logger);
  return runStart('monolith', life, options, async () => {
    const directory = makeDataDirectory(given.DATA_DIR);
    const secrets = readOrMakeSecrets(directory);
    const services = await startServices(life, given, directory);
    const environment = completeEnvironment(given, services, secrets);
    const withinMs = environment.DRAIN_TIMEOUT_SECONDS * 1_000 + PLANE_MARGIN_MS;
    const start = async (
      name: string,
      startPlane: (options: PlaneOptions) => Promise<RunningPlane>,
      changes: Partial<Environment> = {},
    ) => {
      signal?.throwIfAborted();
      printLine(`Starting the ${name} plane ...`);
      const sharesOutput = environment.GATEWAY_WORKERS !== 1;
      const planeLogger = createLogger({ plane: name, level: environment.LOG_LEVEL, sharesOutput });
      const plane = await startPlane({
        environment: { ...environment, ...changes },
        logger: planeLogger,
        signal,
      });
      const close = () => plane.close();
      life.onStop(name === 'billing' ? 'billing' : 'planes', { name, close, withinMs, required: true });
      return plane;
    };
    await start('billing', startBillingPlane);
    const bootstrap = {
      admin: { email: FIRST_ADMIN, password: secrets.adminPassword },
      token: { ...FIRST_TOKEN, key: secrets.apiKey },
    };
    const console = await start(
      'console',
      (planeOptions) =>
        startConsolePlane({
          ...planeOptions,
          bootstrap,
          pageDirectory: PAGE_DIRECTORY,
          onKeyMade: ({ wallet, token, key, path }) =>
            printLine(
              `API key of the token ${token} (wallet ${wallet}), shown this once: ${key}   (${path})`,
            ),
        }),
      // The gateway listens later: where, is known already.
      { GATEWAY_INTERNAL_URL: environment.GATEWAY_INTERNAL_URL ?? toReachable(gatewayAddress(environment)) },
    );
    const gateway = await start('gateway', startGateway);
    const GATEWAY_INTERNAL_URL =
      environment.GATEWAY_INTERNAL_URL ??
      (gateway.address === undefined ? undefined : toReachable(gateway.address));
    await start('video-worker', startVideoPlane, { GATEWAY_INTERNAL_URL });
    await printWelcome({ gatewayUrl: gateway.address, consoleUrl: console.address, directory, secrets });
    return gateway.address;
  });
}

function gatewayAddress({ HOST, GATEWAY_PORT }: Environment): string {
  return `http://${HOST ?? DEFAULT_PLANE_HOST}:${GATEWAY_PORT}`;
}

type Services = Pick<Environment, 'DATABASE_URL' | 'REDIS_URL'>;

async function startServices(life: Monolith, given: Environment, directory: string): Promise<Services> {
  let { DATABASE_URL, REDIS_URL } = given;
  if (DATABASE_URL === undefined) {
    printLine('Starting the embedded Postgres ...');
    const options = { directory: join(directory, 'postgres'), onProgress: printLine };
    const { url, stop } = await startEmbeddedPostgres(options);
    life.onStop('postgres', { name: 'embedded Postgres', close: stop, withinMs: SERVER_STOPS_MS });
    DATABASE_URL = url;
  }
  if (REDIS_URL === undefined) {
    printLine('Starting the embedded Redis ...');
    const options = { directory: join(directory, 'redis'), onProgress: printLine };
    const { url, stop } = await startEmbeddedRedis(options);
    life.onStop('redis', { name: 'embedded Redis', close: stop, withinMs: SERVER_STOPS_MS });
    REDIS_URL = url;
  }
  return { DATABASE_URL, REDIS_URL };
}

/** What an operator leaves open is filled in; health of the planes that callers never reach listens on any free port. */
function completeEnvironment(given: Environment, services: Services, secrets: Secrets): Environment {
  const host = given.HOST ?? '127.0.0.1';
  return Object.freeze({
    ...given,
    ...services,
    HOST: host,
    CONSOLE_ORIGIN:
      given.CONSOLE_ORIGIN.length > 0 ? given.CONSOLE_ORIGIN : listConsoleOrigins(host, given.CONSOLE_PORT),
    JWT_SECRET: given.JWT_SECRET ?? secrets.jwtSecret,
    ENCRYPTION_KEY: given.ENCRYPTION_KEY ?? secrets.encryptionKey,
    BILLING_PORT: process.env['BILLING_PORT'] ? given.BILLING_PORT : 0,
    VIDEO_WORKER_PORT: process.env['VIDEO_WORKER_PORT'] ? given.VIDEO_WORKER_PORT : 0,
  });
}

/** Where the Console's page is opened: on this machine by either name, or by the host that it listens on. */
function listConsoleOrigins(host: string, port: number): string[] {
  const own = host.includes(':') ? `[${host}]` : host;
  return [...new Set([own, '127.0.0.1', 'localhost'])].map((name) => `http://${name}:${port}`);
}
