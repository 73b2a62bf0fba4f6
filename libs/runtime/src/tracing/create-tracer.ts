import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { PRODUCT_VERSION } from '../product-version.js';
import type { OpenTracer, TracerOptions } from './open-tracer.js';

/** Spans that wait for their export at most; beyond it new ones are dropped, and no call waits. */
const MOST_WAITING = 4_096;
const BATCH = 512;
const EXPORT_EVERY_MS = 2_000;
const EXPORT_WITHIN_MS = 5_000;
/** A collector that is away is logged once in so long. */
const TELL_EVERY_MS = 60_000;

/** Spans by OTLP over HTTP. A share of all traces is sampled, by their id. */
export function createTracer(options: TracerOptions): OpenTracer {
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
  return {
    tracer: provider.getTracer('model-gateway', PRODUCT_VERSION),
    close: () => provider.shutdown().catch(() => undefined),
  };
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
