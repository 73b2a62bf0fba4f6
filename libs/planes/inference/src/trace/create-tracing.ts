import { PRODUCT_VERSION } from '@mg/runtime';
import { ROOT_CONTEXT, type Context, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { FastifyRequest } from 'fastify';
import type { CallTrace, Tracing } from './call-trace.js';
import { SpanTrace } from './span-trace.js';

/** Spans that wait for their export at most; beyond it new ones are dropped, and no call waits. */
const MOST_WAITING = 4_096;
const BATCH = 512;
const EXPORT_EVERY_MS = 2_000;
const EXPORT_WITHIN_MS = 5_000;
/** A collector that is away is logged once in so long. */
const TELL_EVERY_MS = 60_000;
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

export interface TracingOptions {
  /** Where OTLP is posted. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  /** Of all calls, 0 to 1. */
  readonly share: number;
  readonly onFailure: (reason: string) => void;
}

/** Traces of calls by OTLP over HTTP. */
export function createTracing(options: TracingOptions): Tracing {
  const byShare = new TraceIdRatioBasedSampler(options.share);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.service,
      'service.version': PRODUCT_VERSION,
    }),
    // A caller may ask for no trace. One that asks for a trace has the same share as others: it cannot make us trace everything.
    sampler: new ParentBasedSampler({ root: byShare, remoteParentSampled: byShare }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportFailures(
          new OTLPTraceExporter({
            url: options.url,
            headers: { ...options.headers },
            timeoutMillis: EXPORT_WITHIN_MS,
          }),
          options.onFailure,
        ),
        maxQueueSize: MOST_WAITING,
        maxExportBatchSize: BATCH,
        scheduledDelayMillis: EXPORT_EVERY_MS,
        exportTimeoutMillis: EXPORT_WITHIN_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('model-gateway', PRODUCT_VERSION);
  return {
    begin(request, endpoint): CallTrace | undefined {
      const call = new SpanTrace(tracer, readParent(request), { request, endpoint });
      return call.isRecorded ? call : undefined;
    },
    close: () => provider.shutdown().catch(() => undefined),
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

function reportFailures(exporter: SpanExporter, onFailure: (reason: string) => void): SpanExporter {
  let toldAt = -TELL_EVERY_MS;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error && performance.now() - toldAt > TELL_EVERY_MS) {
          toldAt = performance.now();
          onFailure(result.error.message);
        }
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
