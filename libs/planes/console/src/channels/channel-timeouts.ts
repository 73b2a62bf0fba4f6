import type { StoredTimeouts } from '@mg/persistence';

/** A channel's time limits as the file and the API read them, in milliseconds. */
export interface TimeoutInput {
  readonly connect?: number | undefined;
  readonly first_byte?: number | undefined;
  readonly idle?: number | undefined;
  readonly total?: number | undefined;
}

export function toStoredTimeouts(input: TimeoutInput): StoredTimeouts {
  return {
    ...(input.connect === undefined ? {} : { connect_ms: input.connect }),
    ...(input.first_byte === undefined ? {} : { first_byte_ms: input.first_byte }),
    ...(input.idle === undefined ? {} : { idle_ms: input.idle }),
    ...(input.total === undefined ? {} : { total_ms: input.total }),
  };
}

/** Time limits as people write them: `{connect: "3s", total: "15m"}`. */
export function toTimeoutView(stored: StoredTimeouts) {
  return {
    ...(stored.connect_ms === undefined ? {} : { connect: writeDuration(stored.connect_ms) }),
    ...(stored.first_byte_ms === undefined ? {} : { first_byte: writeDuration(stored.first_byte_ms) }),
    ...(stored.idle_ms === undefined ? {} : { idle: writeDuration(stored.idle_ms) }),
    ...(stored.total_ms === undefined ? {} : { total: writeDuration(stored.total_ms) }),
  };
}

function writeDuration(durationMs: number): string {
  if (durationMs > 0 && durationMs % 3_600_000 === 0) return `${durationMs / 3_600_000}h`;
  if (durationMs > 0 && durationMs % 60_000 === 0) return `${durationMs / 60_000}m`;
  return durationMs % 1_000 === 0 ? `${durationMs / 1_000}s` : `${durationMs}ms`;
}
