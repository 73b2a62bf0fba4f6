import type { Span } from '@opentelemetry/api';

/** The header `traceparent` of the W3C's Trace Context, for what is sent within a span. */
export function toTraceparent(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
