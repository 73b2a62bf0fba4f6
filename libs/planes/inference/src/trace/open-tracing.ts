import type { Environment } from '@mg/contract';
import { type Logger, openTracer, readTracerOptions } from '@mg/runtime';
import { NO_TRACING, type Tracing } from './call-trace.js';

/** Traces, where an endpoint is set. OpenTelemetry's packages are loaded there alone: whoever does not use them pays nothing. */
export async function openTracing(environment: Environment, logger: Logger): Promise<Tracing> {
  const options = readTracerOptions(environment, logger);
  if (options === undefined) return NO_TRACING;
  const { createTracing } = await import('./create-tracing.js');
  return createTracing(await openTracer(options));
}
