import { createHash, timingSafeEqual } from 'node:crypto';
import type { Environment } from '@mg/contract';
import { collectDefaultMetrics, Registry } from 'prom-client';

export { type Aggregator, Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * How often the event loop's delay is measured. prom-client's own ten milliseconds wake a process a hundred times a second, which is
 * most of what an idle plane costs: 0.1 ms each on a virtual machine. The pause is part of each measured value, so alerts count
 * from it.
 */
const LOOP_DELAY_EVERY_MS = 500;

/** A registry of its own for each plane, since in the monolith several share one process. */
export function createMetrics(plane: string, environment: Environment): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ plane });
  if (environment.METRICS_ENABLED) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_DELAY_EVERY_MS });
  }
  return registry;
}

/** The status that `GET /metrics` answers with: 404 when off, 401 for a wrong or missing token, else 200. */
export function metricsStatus(environment: Environment, authorization: string | undefined): 200 | 401 | 404 {
  if (!environment.METRICS_ENABLED) return 404;
  const token = environment.METRICS_TOKEN;
  if (token === undefined) return 200;
  return sameText(authorization ?? '', `Bearer ${token}`) ? 200 : 401;
}

function sameText(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
