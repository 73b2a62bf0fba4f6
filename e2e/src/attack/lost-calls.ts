import type { ReplicaFleet } from '../outages/replica-fleet.js';

/** Channels that wait for an answer for longer than any gateway of these attacks is away. */
export const LONG_CALLS = { first_byte: '200s', idle: '200s', total: '10m' } as const;

/** A call as the ledger knows it. */
export interface BookedCall {
  readonly id: string;
  readonly state: 'open' | 'posted' | 'voided' | 'expired';
  /** The process that the hold belongs to. */
  readonly owner: string;
  readonly estimated: boolean;
  /** Whether it was streamed for long enough to leave a checkpoint. */
  readonly checkpointed: boolean;
  readonly hasKey: boolean;
  /** What its wallet was charged, in the order of the ledger. */
  readonly entries: readonly string[];
}

/** Every call of a fleet, oldest first. */
export function readCalls(fleet: ReplicaFleet): Promise<BookedCall[]> {
  return fleet.query<BookedCall>(`
    select h.id, h.state, h.owner_instance as owner, h.estimated, h.checkpoint is not null as checkpointed,
           exists (select from idempotent_reply r where r.request_id = h.id) as "hasKey",
           array(select e.kind from entry e
                  where e.request_id = h.id::text and e.wallet_id is not null order by e.id) as entries
      from hold h order by h.id`);
}

export const describeSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
