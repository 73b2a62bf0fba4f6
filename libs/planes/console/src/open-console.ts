import type { ChannelTestPort, Environment, WalletPort } from '@mg/contract';
import { ConsoleStore, deriveSecretKey } from '@mg/persistence/console';
import { deriveTaskKey } from '@mg/protocols';
import {
  DEFAULT_PLANE_HOST,
  explainListenError,
  type Logger,
  type Registry,
  type RunningPlane,
} from '@mg/runtime';
import { GatewayFiles } from '@mg/transport';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { AlertDestinations } from './alerts/alert-destinations.js';
import { type HashCost, PasswordHasher } from './auth/password-hash.js';
import { ChannelKeys } from './channels/channel-keys.js';
import type { ApplyParts } from './configuration/apply-configuration.js';
import type { ReadyConfiguration } from './configuration/follow-configuration.js';
import { ConsoleModule } from './console.module.js';
import { countRequests } from './health/count-requests.js';
import { Readiness } from './health/readiness.js';
import { createHttpApp } from './http/create-http-app.js';
import { serveDocuments } from './http/openapi-document.js';
import { TaskContents } from './tasks/task-contents.js';
import { servePage } from './page/serve-page.js';

interface ConsoleOptions {
  readonly environment: Environment;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly store: ConsoleStore;
  readonly wallets: WalletPort;
  readonly gateway: ChannelTestPort;
  readonly configuration: ReadyConfiguration;
  readonly encryptionKey: string;
  readonly jwtSecret: string;
  /** What a guess of a password costs, where it is not what OWASP asks for. */
  readonly hashCost?: HashCost;
  readonly onKeyMade?: ApplyParts['onKeyMade'];
  /** Where the built page lies; without one only the API is served. */
  readonly pageDirectory?: string | undefined;
}

/** Listens, applies the configuration and only then is ready. The store and the lines to other planes stay the caller's to close. */
export async function openConsole(options: ConsoleOptions): Promise<RunningPlane> {
  const { environment, logger, metrics, store, wallets } = options;
  const secretKey = deriveSecretKey(options.encryptionKey, environment.ENCRYPTION_KEY_PREVIOUS);
  const files = new GatewayFiles(
    environment.GATEWAY_INTERNAL_URL ?? `http://127.0.0.1:${environment.GATEWAY_PORT}`,
  );
  const passwords = new PasswordHasher(options.hashCost);
  const module = ConsoleModule.with({
    environment,
    store,
    wallets,
    gateway: options.gateway,
    secretKey,
    destinations: new AlertDestinations(environment, secretKey, options.encryptionKey),
    contents: new TaskContents(
      files,
      deriveTaskKey(options.encryptionKey, environment.ENCRYPTION_KEY_PREVIOUS),
    ),
    jwtSecret: options.jwtSecret,
    passwords,
    metrics,
  });
  const app = await createHttpApp(module, logger, environment.TRUSTED_PROXIES);
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  countRequests(fastify, metrics);
  await servePage(fastify, { directory: options.pageDirectory, environment });
  serveDocuments(app);
  const address = await listen(app, environment);
  const readiness = app.get(Readiness);
  try {
    const followed = await options.configuration.apply({
      store,
      wallets,
      keys: new ChannelKeys(secretKey),
      passwords,
      dataDirectory: environment.DATA_DIR,
      onKeyMade: options.onKeyMade,
      logger,
    });
    readiness.markReady();
    return {
      name: 'console',
      address,
      async close() {
        readiness.markDraining();
        await followed.close();
        await app.close();
        await files.close();
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function listen(app: NestFastifyApplication, environment: Environment): Promise<string> {
  const host = environment.HOST ?? DEFAULT_PLANE_HOST;
  try {
    await app.listen(environment.CONSOLE_PORT, host);
  } catch (error) {
    await app.close();
    throw explainListenError(error, 'CONSOLE_PORT', environment.CONSOLE_PORT);
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://${host}:${port}`;
}
