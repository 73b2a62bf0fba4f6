import { omitUndefined } from '@mg/contract';
import type { SpanContext } from '@opentelemetry/api';

/** What the W3C's Trace Context sends along, by the names of its headers. */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** The header `traceparent` of the W3C's Trace Context, for what is sent within a span. */
export function toTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** The same with what others on the way have added to the trace. */
export function toTraceHeaders(context: SpanContext): TraceHeaders {
  const state = context.traceState?.serialize() ?? '';
  return omitUndefined({
    traceparent: toTraceparent(context),
    tracestate: state === '' ? undefined : state,
  });
}
