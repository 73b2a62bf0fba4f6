import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ChannelTestPort,
  GatewayError,
  omitUndefined,
  readEnvironment,
  type WalletPort,
} from '@mg/contract';
import { ConsoleStore, openDatabase } from '@mg/persistence/console';
import { WalletLedger } from '@mg/persistence/billing';
import { migrateDatabase, PLANE_ROLES } from '@mg/persistence/migrate';
import { createMetrics, type Logger } from '@mg/runtime';
import { createTestDatabase } from '@mg/testkit';

import type { ConsoleBootstrap } from '../configuration/apply-bootstrap.js';
import type { ApplyParts } from '../configuration/apply-configuration.js';
import { readFirstConfiguration } from '../configuration/follow-configuration.js';
import { openConsole } from '../open-console.js';

export const ENCRYPTION_KEY = 'encryption-key-of-the-console-tests';
export const JWT_SECRET = 'jwt-secret-of-the-console-tests-0001';
export const ADMIN = { email: 'admin@example.com', password: 'correct horse' };
export const FIRST_KEY = 'sk-first-key-of-the-console-tests';

/** Passwords of tests are no secrets, and are hashed a thousand times. */
const HASH_COST = { memory: 64, passes: 1, parallelism: 1 };
const ROLE_PASSWORD = 'password-of-the-console-role';

const BOOTSTRAP: ConsoleBootstrap = {
  admin: ADMIN,
  token: { name: 'first', key: FIRST_KEY, walletName: 'main', walletBalance: '10.00' },
};

const NO_GATEWAY: ChannelTestPort = {
  testChannel: () => Promise.reject(new GatewayError('service_unavailable', 'No gateway answers.')),
  listModels: () => Promise.reject(new GatewayError('service_unavailable', 'No gateway answers.')),
};

type Database = Awaited<ReturnType<typeof openDatabase>>;

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
}

export interface CallOptions {
  readonly session?: string | undefined;
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface TestConsoleOptions {
  readonly configPath?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** `null`: a start without one. */
  readonly bootstrap?: ConsoleBootstrap | null;
  readonly pageDirectory?: string;
  readonly onKeyMade?: ApplyParts['onKeyMade'];
  /** Tests channels; by default no gateway answers. */
  readonly gateway?: ChannelTestPort;
}

export interface OpenConsole {
  readonly address: string;
  /** Calls the API; the body of the answer is parsed. */
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    options?: CallOptions,
  ): Promise<Answer<Body>>;
  /** Signs in and answers the access token. */
  login(email: string, password: string): Promise<string>;
  close(): Promise<void>;
}

export interface TestBed {
  /** The database as its owner sees it. */
  readonly database: Database;
  /** The database as its consoles see it. */
  readonly consoleDatabase: Database;
  readonly databaseUrl: string;
  readonly store: ConsoleStore;
  readonly wallets: WalletPort;
  readonly dataDirectory: string;
  /** Every line that its consoles logged, as JSON. */
  readonly logged: readonly string[];
  /** Starts a console on the bed's database, as often as wanted. */
  open(options?: TestConsoleOptions): Promise<OpenConsole>;
  /** Closes the consoles and forgets every row, line and file. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

/** A database on a real Postgres, migrated, with money moved by the ledger's own functions. Consoles enter it under their own role. */
export async function makeTestBed(): Promise<TestBed> {
  const { databaseUrl, stop } = await createTestDatabase(migrate);
  const dataDirectory = await mkdtemp(join(tmpdir(), 'console-test-'));
  const options = { poolSize: 10, applicationName: 'console-test' };
  const database = await openDatabase({ ...options, url: databaseUrl });
  const consoleDatabase = await openDatabase({ ...options, url: toRoleUrl(databaseUrl) });
  const store = ConsoleStore.over(consoleDatabase);
  const wallets = toWalletPort(new WalletLedger(database));
  const opened: OpenConsole[] = [];
  const logged: string[] = [];
  const logger = makeRecordingLogger(logged);
  return {
    database,
    consoleDatabase,
    databaseUrl,
    store,
    wallets,
    dataDirectory,
    logged,
    async open(options = {}) {
      const console = await openOne({ store, wallets, dataDirectory, logger }, options);
      opened.push(console);
      return console;
    },
    async clear() {
      await Promise.all(opened.splice(0).map((console) => console.close()));
      await database.query(
        'truncate app_user, wallet, channel, model, entry, request_log, usage_change, usage_cell cascade',
      );
      logged.length = 0;
      await rm(dataDirectory, { recursive: true, force: true });
    },
    async stop() {
      await Promise.all(opened.map((console) => console.close()));
      await consoleDatabase.destroy();
      await database.destroy();
      await stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

async function migrate(url: string): Promise<void> {
  await migrateDatabase({ url, passwords: { console: ROLE_PASSWORD } });
}

function toRoleUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = PLANE_ROLES.console;
  url.password = ROLE_PASSWORD;
  return url.href;
}

interface BedParts extends Pick<TestBed, 'store' | 'wallets' | 'dataDirectory'> {
  readonly logger: Logger;
}

async function openOne(
  { store, wallets, dataDirectory, logger }: BedParts,
  options: TestConsoleOptions,
): Promise<OpenConsole> {
  const environment = readEnvironment({
    HOST: '127.0.0.1',
    CONSOLE_PORT: '0',
    DATA_DIR: dataDirectory,
    ...options.environment,
  });
  const plane = await openConsole({
    environment,
    metrics: createMetrics('console', environment),
    logger,
    store,
    wallets,
    gateway: options.gateway ?? NO_GATEWAY,
    configuration: await readFirstConfiguration({
      path: options.configPath,
      bootstrap: options.bootstrap === null ? undefined : (options.bootstrap ?? BOOTSTRAP),
      sandboxEnabled: environment.SANDBOX_ENABLED,
      variables: options.variables ?? {},
    }),
    encryptionKey: ENCRYPTION_KEY,
    jwtSecret: environment.JWT_SECRET ?? JWT_SECRET,
    hashCost: HASH_COST,
    onKeyMade: options.onKeyMade,
    pageDirectory: options.pageDirectory,
  });
  const address = plane.address ?? '';
  const call: OpenConsole['call'] = (method, path, callOptions) =>
    send(address, method, path, callOptions ?? {});
  let closing: Promise<void> | undefined;
  return {
    address,
    call,
    async login(email, password) {
      const { body } = await call<{ access_token: string }>('POST', '/api/v1/auth/login', {
        body: { email, password },
      });
      return body.access_token;
    },
    close: () => (closing ??= plane.close()),
  };
}

async function send<Body>(
  address: string,
  method: string,
  path: string,
  options: CallOptions,
): Promise<Answer<Body>> {
  const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const response = await fetch(`${address}${path}`, {
    method,
    headers: {
      ...omitUndefined({
        'content-type': body === undefined ? undefined : 'application/json',
        authorization: options.session === undefined ? undefined : `Bearer ${options.session}`,
      }),
      ...options.headers,
    },
    ...omitUndefined({ body }),
  });
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson ? JSON.parse(text) : undefined) as Body,
    text,
  };
}

function toWalletPort(ledger: WalletLedger): WalletPort {
  return {
    openHold: () => Promise.reject(new Error('The console opens no holds.')),
    openWallet: async (request) => ({ walletId: await ledger.openWallet(request) }),
    topUp: (request) => ledger.topUp(request),
    limitCredit: ({ walletId, creditLimit }) => ledger.limitCredit(walletId, creditLimit),
    heartbeat: () => Promise.resolve(),
    renewHolds: () => Promise.resolve([]),
    repriceHold: () => Promise.resolve(false),
    ping: () => Promise.resolve(),
  };
}

/** Keeps what is logged, so that tests can look for what should be there and for what should not. */
function makeRecordingLogger(logged: string[]): Logger {
  const record = (fields: unknown, message?: string) => {
    const error = (fields as { err?: unknown }).err;
    const text = error instanceof Error ? (error.stack ?? error.message) : '';
    logged.push(JSON.stringify([message, fields, text]));
  };
  const logger = { trace: record, debug: record, info: record, warn: record, error: record, fatal: record };
  return logger as unknown as Logger;
}
