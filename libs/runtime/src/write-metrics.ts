import { setImmediate } from 'node:timers/promises';
import type { Registry } from 'prom-client';

/** What is written of a scrape before others go on: one metric at least. */
const WRITTEN_IN_A_TURN_MS = 2;

/**
 * The text of a scrape, metric by metric: written in one go, as the registry does, the thousands of series of a gateway with many
 * models hold the event loop for tens of milliseconds at each scrape.
 */
export async function writeMetrics(registry: Registry): Promise<string> {
  const texts: string[] = [];
  let sinceMs = performance.now();
  for (const { name } of registry.getMetricsAsArray()) {
    texts.push(await registry.getSingleMetricAsString(name));
    if (performance.now() - sinceMs < WRITTEN_IN_A_TURN_MS) continue;
    await setImmediate();
    sinceMs = performance.now();
  }
  return `${texts.join('\n\n')}\n`;
}
