import { randomUUID } from 'node:crypto';
import type { Environment } from '@mg/contract';
import { BatchWork, deriveSecretKey, StoredFiles, UpstreamBatches } from '@mg/persistence/video';
import {
  Counter,
  errorMessage,
  type Lifecycle,
  type Logger,
  type Registry,
  repeatEvery,
  type Repetition,
} from '@mg/runtime';
import { BatchGateway, type RedisScope, type ResultStore } from '@mg/transport';
import type { DataSource } from 'typeorm';
import { lookForWork } from '../look-for-work.js';
import type { BatchContext } from './batch-context.js';
import { BatchRunner } from './batch-runner.js';
import type { NativeParts } from './native/native-context.js';
import { NativeRunner } from './native/native-runner.js';

const RENEW_EVERY_MS = 10_000;
const STOP_MARGIN_MS = 1_000;

export interface BatchParts {
  readonly environment: Environment;
  readonly encryptionKey: string;
  readonly database: DataSource;
  readonly redis: RedisScope;
  /** Where results are kept, if not in Postgres. */
  readonly results: ResultStore | undefined;
  readonly registry: Registry;
  readonly logger: Logger;
  /** What is asked for providers' own batches. */
  readonly native: Omit<NativeParts, 'upstream'>;
  /** Name of this worker. */
  readonly name: string;
}

/** What carries out batches, each to be woken when it has something to do. */
export interface BatchRounds {
  /** Validates and finishes them. */
  readonly steps: Repetition;
  /** Sends their lines. */
  readonly lines: Repetition;
  /** Takes the steps of providers' own batches. */
  readonly upstreams: Repetition;
}

/** Starts to carry out batches, until the plane stops. */
export function openBatches(parts: BatchParts, life: Lifecycle): BatchRounds {
  const { environment, database, redis, results, registry, logger, name } = parts;
  const secretKey = deriveSecretKey(parts.encryptionKey, environment.ENCRYPTION_KEY_PREVIOUS);
  const url = environment.GATEWAY_INTERNAL_URL ?? `http://127.0.0.1:${environment.GATEWAY_PORT}`;
  const concurrency = environment.BATCH_CONCURRENCY;
  const warn = (message: string) => (error: unknown) => logger.warn({ reason: errorMessage(error) }, message);
  // A process of the same name that was killed left claims that are not this one's.
  const lifeName = `${name}/${randomUUID()}`;
  const context: BatchContext = {
    work: new BatchWork(database, secretKey, lifeName),
    files: new StoredFiles(database, secretKey, {
      keepDays: environment.RETENTION_FILES_DAYS,
      store: results,
      onStoreFailure: warn('results of a batch are kept in Postgres: the result store has not taken them'),
    }),
    gateway: new BatchGateway(redis, url, concurrency),
    native: { ...parts.native, upstream: new UpstreamBatches(database, secretKey, lifeName) },
    concurrency,
    lines: new Counter({
      name: 'batch_lines_total',
      help: 'Lines of batches that were sent to the gateway: succeeded, failed, to be sent again (retry) or paused (pause); unknown: results of providers that are of no line.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    logger,
  };
  const runner = new BatchRunner(context);
  const native = new NativeRunner(context);
  const steps = lookForWork(() => runner.stepDue(), warn('a batch could not be validated or finished'));
  const lines = lookForWork(() => runner.fill(), warn('lines of batches could not be claimed'));
  const upstreams = lookForWork(() => native.stepDue(), warn("providers' batches could not be looked for"));
  const renewal = repeatEvery(
    RENEW_EVERY_MS,
    () => Promise.all([runner.renew(), native.renew()]).then(() => undefined),
    warn('claims of batches could not be renewed'),
  );
  const drainMs = environment.DRAIN_TIMEOUT_SECONDS * 1_000;
  life.onStop('intake', {
    name: 'batches',
    close: async () => {
      const closing = native.close().then(() => runner.close(drainMs));
      await Promise.all([closing, steps.close(), lines.close(), upstreams.close()]);
      await renewal.close();
    },
    withinMs: drainMs + STOP_MARGIN_MS,
  });
  return { steps, lines, upstreams };
}
