import type { CallReason, CallerToken, Channel, Usage } from '@mg/contract';
import type { TraceHeaders } from '@mg/runtime';
import type { FastifyRequest } from 'fastify';

/** Stages of a call that has a trace, in their order; the path from one to the next is documented in docs/a-request.md. */
export type TracedStage =
  | 'admit'
  | 'receive'
  | 'once'
  | 'open'
  | 'cache'
  | 'route'
  | 'limit'
  | 'reserve'
  | 'send'
  | 'relay'
  | 'settle';

/** What a trace records of an attempt at its end. */
export interface TracedOutcome {
  readonly outcome: string;
  readonly status: number | undefined;
  readonly reason: string;
}

export interface TracedAttempt {
  readonly channel: Channel;
  readonly upstreamModel: string;
}

/** An attempt in the trace of its call. */
export interface AttemptTrace {
  /** For the upstream. */
  readonly headers: TraceHeaders;
  /** The first event of its stream came after so long; it ends with the last one. */
  noteFirstChunk(ms: number): void;
  end(outcome: TracedOutcome): void;
}

/** What a trace records of its call at the end. */
export interface TracedCall {
  readonly requestId: string;
  readonly caller: Pick<CallerToken, 'id'>;
  readonly model: string;
  readonly channel: string | undefined;
  readonly status: number;
  readonly errorCode: string | undefined;
  readonly reason: CallReason;
  readonly usage: Usage;
  readonly ttftMs: number | undefined;
  readonly attempts: readonly unknown[];
  /** Of the attempts those that were not made. */
  readonly skipped: number;
}

/** The trace of one call. All of it is in memory until it is exported, which nobody waits for. */
export interface CallTrace {
  /** Ends the stage before, and begins this one. */
  stage(name: TracedStage): void;
  /** Begins an attempt at a channel. Two may be made at once. */
  attempt(attempt: TracedAttempt): AttemptTrace;
  /** Ends the trace with its call; `undefined` for one that was not let in. */
  end(call: TracedCall | undefined): void;
}

/** Where traces come from: nowhere, unless OTEL_EXPORTER_OTLP_ENDPOINT is set. */
export interface Tracing {
  /** @returns the trace of a call; `undefined` for most calls, those that are not sampled and whose callers are in no trace. */
  begin(request: FastifyRequest, endpoint: string): CallTrace | undefined;
  /** Exports what is left. */
  close(): Promise<void>;
}

export const NO_TRACING: Tracing = { begin: () => undefined, close: async () => undefined };
