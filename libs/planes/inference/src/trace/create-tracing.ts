import type { OpenTracer } from '@mg/runtime';
import { type Context, ROOT_CONTEXT, trace, TraceFlags } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import type { Tracing } from './call-trace.js';
import { SpanTrace } from './span-trace.js';

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/** Traces of calls. */
export function createTracing({ tracer, close }: OpenTracer): Tracing {
  return {
    begin(request, endpoint) {
      const call = new SpanTrace(tracer, readParent(request), { request, endpoint });
      return call.isRecorded ? call : undefined;
    },
    close,
  };
}

/** The trace that a caller's own program is in, by `traceparent`; none where it is not valid. */
function readParent({ headers }: FastifyRequest): Context {
  const { traceparent } = headers;
  const [, traceId, spanId, flags = '0'] =
    (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent)) || [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
