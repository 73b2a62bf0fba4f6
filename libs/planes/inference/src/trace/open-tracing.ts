import type { Environment } from '@mg/contract';
import type { Logger } from '@mg/runtime';
import { NO_TRACING, type Tracing } from './call-trace.js';

/** Traces, where an endpoint is set. OpenTelemetry's packages are loaded there alone: whoever does not use them pays nothing. */
export async function openTracing(environment: Environment, logger: Logger): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = environment;
  if (endpoint === undefined) return NO_TRACING;
  const { createTracing } = await import('./create-tracing.js');
  return createTracing({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers,
    service: environment.OTEL_SERVICE_NAME,
    share: environment.OTEL_TRACES_SAMPLER_ARG,
    onFailure: (reason) => logger.warn({ reason }, 'traces cannot be exported at the moment'),
  });
}
