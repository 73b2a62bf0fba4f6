import { omitUndefined } from '@mg/contract';
import type { StoredTimeouts } from '@mg/persistence/console';

/** A channel's time limits as the file and the API read them, in milliseconds. */
interface TimeoutInput {
  readonly connect?: number | undefined;
  readonly first_byte?: number | undefined;
  readonly idle?: number | undefined;
  readonly total?: number | undefined;
}

export function toStoredTimeouts(input: TimeoutInput): StoredTimeouts {
  return omitUndefined({
    connect_ms: input.connect,
    first_byte_ms: input.first_byte,
    idle_ms: input.idle,
    total_ms: input.total,
  });
}

/** Time limits as people write them: `{connect: "3s", total: "15m"}`. */
export function toTimeoutView(stored: StoredTimeouts) {
  return omitUndefined({
    connect: writeDuration(stored.connect_ms),
    first_byte: writeDuration(stored.first_byte_ms),
    idle: writeDuration(stored.idle_ms),
    total: writeDuration(stored.total_ms),
  });
}

/** A duration as people write it: `20s`. */
export function writeDuration(durationMs: number | undefined): string | undefined {
  if (durationMs === undefined) return undefined;
  if (durationMs > 0 && durationMs % 3_600_000 === 0) return `${durationMs / 3_600_000}h`;
  if (durationMs > 0 && durationMs % 60_000 === 0) return `${durationMs / 60_000}m`;
  return durationMs % 1_000 === 0 ? `${durationMs / 1_000}s` : `${durationMs}ms`;
}
