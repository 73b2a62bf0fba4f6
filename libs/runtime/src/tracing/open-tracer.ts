import type { Environment } from '@mg/contract';
import type { Tracer } from '@opentelemetry/api';
import type { Logger } from '../logger.js';

export interface TracerOptions {
  /** Where OTLP is posted. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  /** Of all traces, 0 to 1. */
  readonly share: number;
  readonly onFailure: (reason: string) => void;
}

/** Makes spans and exports them. */
export interface OpenTracer {
  readonly tracer: Tracer;
  /** Exports what is left. */
  close(): Promise<void>;
}

/** @returns `undefined` where OTEL_EXPORTER_OTLP_ENDPOINT is not set: nothing is traced. */
export function readTracerOptions(environment: Environment, logger: Logger): TracerOptions | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = environment;
  if (endpoint === undefined) return undefined;
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers,
    service: environment.OTEL_SERVICE_NAME,
    share: environment.OTEL_TRACES_SAMPLER_ARG,
    onFailure: (reason) => logger.warn({ reason }, 'traces cannot be exported at the moment'),
  };
}

/** Loads OpenTelemetry's packages, which who has no traces does without, and exports by OTLP over HTTP. */
export async function openTracer(options: TracerOptions): Promise<OpenTracer> {
  const { createTracer } = await import('./create-tracer.js');
  return createTracer(options);
}
