import type { OpenTracer } from '@mg/runtime';
import {
  createTraceState,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
  TraceFlags,
  type TraceState,
} from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import type { Tracing } from './call-trace.js';
import { PassedTrace } from './passed-trace.js';
import { SpanTrace } from './span-trace.js';

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;
/** What W3C's Trace Context wants passed on at least, and allows at most. */
const LONGEST_STATE = 512;
const MOST_MEMBERS = 32;

/** Traces of calls. */
export function createTracing({ tracer, close }: OpenTracer): Tracing {
  return {
    begin(request, endpoint) {
      const caller = readCaller(request);
      const parent = caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
      const call = new SpanTrace(tracer, parent, { request, endpoint });
      if (call.isRecorded) return call;
      return caller && new PassedTrace(caller);
    },
    close,
  };
}

/**
 * The trace that a caller's own program is in, by `traceparent` and `tracestate`; none where the first is not valid.
 *
 * @see https://www.w3.org/TR/trace-context/
 */
function readCaller({ headers }: FastifyRequest): SpanContext | undefined {
  const { traceparent, tracestate } = headers;
  const [, traceId, spanId, flags = '0'] =
    (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent)) || [];
  if (traceId === undefined || spanId === undefined) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const context = { traceId, spanId, traceFlags, isRemote: true };
  const traceState = readState(tracestate);
  return traceState ? { ...context, traceState } : context;
}

/** A state that is too long is left out as a whole, since nobody can tell which of its members matter. */
function readState(tracestate: string | readonly string[] | undefined): TraceState | undefined {
  if (typeof tracestate !== 'string' || tracestate.length > LONGEST_STATE) return undefined;
  return tracestate.split(',').length > MOST_MEMBERS ? undefined : createTraceState(tracestate);
}
