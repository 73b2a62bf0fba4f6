import { type Catalog, omitUndefined } from '@mg/contract';
import type { DataSource } from 'typeorm';
import type { SecretKey } from '../secrets/seal-secret.js';
import { retryConnect } from '../retry-connect.js';
import { CatalogFeed } from './catalog-feed.js';
import { followChanges } from './follow-changes.js';
import { loadCatalog } from './load-catalog.js';

export interface CatalogOptions {
  readonly database: DataSource;
  /** Where changes are announced, on a connection of its own. */
  readonly databaseUrl: string;
  /** Of ENCRYPTION_KEY, to read the credentials of channels. */
  readonly secretKey: SecretKey;
  readonly logger: {
    warn(facts: object, message: string): void;
    error(message: string): void;
  };
  /** The token of this key hash changed. */
  readonly onTokenChanged?: (keyHash: string) => void;
  /** A call with an Idempotency-Key ended. */
  readonly onReplyEnded?: (name: string) => void;
  /** Leases of this wallet are to be given back. */
  readonly onLeasesRecalled?: (walletId: string) => void;
  /** The health of a channel changed at another gateway. */
  readonly onHealthChanged?: (payload: string) => void;
  /** Anything may have changed while nobody listened. */
  readonly onReconnected?: () => void;
}

export interface FollowedCatalog {
  /** The configuration in force. */
  readonly current: Catalog;
  readonly loaded: boolean;
  close(): Promise<void>;
}

/**
 * Reads the configuration that gateways and workers route by, and again whenever the database announces a change.
 *
 * @throws Error when the database cannot be read.
 */
export async function followCatalog(options: CatalogOptions): Promise<FollowedCatalog> {
  const { database, databaseUrl, secretKey, logger, onTokenChanged, onReplyEnded, onReconnected } = options;
  const { onLeasesRecalled, onHealthChanged } = options;
  const load = async (version: number): Promise<Catalog> => {
    const { catalog, problems } = await loadCatalog(database, secretKey, version);
    for (const problem of problems) logger.error(problem);
    return catalog;
  };
  const feed = new CatalogFeed(load, (error) =>
    logger.warn({ err: error }, 'the configuration could not be read again'),
  );
  const changes = followChanges(databaseUrl, {
    catalogChanged: () => feed.refresh(),
    tokenChanged: (keyHash) => onTokenChanged?.(keyHash),
    ...omitUndefined({
      replyEnded: onReplyEnded,
      leasesRecalled: onLeasesRecalled,
      healthChanged: onHealthChanged,
    }),
    connected: () => {
      feed.refresh();
      onReconnected?.();
    },
    failed: (error) => logger.warn({ err: error }, 'configuration changes cannot be followed at the moment'),
  });
  const close = async () => {
    await Promise.all([changes.close(), feed.close()]);
  };
  try {
    await retryConnect(() => feed.start());
  } catch (error) {
    await close();
    throw error;
  }
  return {
    get current() {
      return feed.current;
    },
    get loaded() {
      return feed.loaded;
    },
    close,
  };
}
