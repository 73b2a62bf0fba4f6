import type { Catalog, HoldOwner, LeasePort } from '@mg/contract';
import type { UsageJournal } from '@mg/persistence/gateway';
import { errorMessage, type Lifecycle, type PlaneOptions } from '@mg/runtime';
import type { HeldCalls } from './call/held-calls.js';
import { findLeaseSeconds } from './call/reserve.js';
import { LeaseRegistry } from './leases/lease-registry.js';

/** For how long a gateway that stops waits for its leases to be given back; its usage is written meanwhile. */
const RETURN_LAST_MS = 5_500;
const WARN_EVERY_MS = 60_000;

export interface LeaseParts {
  readonly port: LeasePort;
  readonly owner: HoldOwner;
  readonly heldCalls: HeldCalls;
  readonly journal: UsageJournal;
  readonly catalog: () => Catalog;
}

/** Opens the leases of a gateway; `undefined` where every call is to ask billing. */
export function openLeases(
  { port, owner, heldCalls, journal, catalog }: LeaseParts,
  { environment, logger }: Pick<PlaneOptions, 'environment' | 'logger'>,
  life: Lifecycle,
): LeaseRegistry | undefined {
  if (!environment.LEASES) return undefined;
  let warnAgainMs = 0;
  const leases = new LeaseRegistry({
    port,
    owner,
    held: heldCalls,
    ttlSeconds: () => findLeaseSeconds(catalog()),
    flushUsage: async () => {
      await journal.flush();
      return journal.failingMs === 0;
    },
    onFailure: (error) => {
      if (performance.now() < warnAgainMs) return;
      warnAgainMs = performance.now() + WARN_EVERY_MS;
      logger.warn(
        { reason: errorMessage(error) },
        'billing does not answer about leases: calls ask for holds',
      );
    },
  });
  return life.own('writers', 'leases', leases, RETURN_LAST_MS);
}
