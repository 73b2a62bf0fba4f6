import { toTraceHeaders, type TraceHeaders } from '@mg/runtime';
import { type SpanContext, TraceFlags } from '@opentelemetry/api';
import type { AttemptTrace, CallTrace } from './call-trace.js';

/** A call that is not sampled, of a caller that is in a trace: nothing is recorded, and upstreams are told the caller's context. */
export class PassedTrace implements CallTrace {
  readonly #headers: TraceHeaders;

  constructor(caller: SpanContext) {
    this.#headers = toTraceHeaders({ ...caller, traceFlags: TraceFlags.NONE });
  }

  stage(): void {}

  attempt(): AttemptTrace {
    return { headers: this.#headers, noteFirstChunk: () => undefined, end: () => undefined };
  }

  end(): void {}
}
