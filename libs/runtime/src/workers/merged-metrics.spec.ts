import { describe, expect, it } from 'vitest';
import { Counter, Gauge, Histogram, Registry } from '../metrics.js';
import { MergedMetrics } from './merged-metrics.js';
import type { ReadMetrics } from './worker-messages.js';

/** The metrics of a process that has answered so many calls and has so many in progress, as they come through a channel. */
async function read(calls: number, inFlight: number): Promise<ReadMetrics> {
  const registry = new Registry();
  registry.setDefaultLabels({ plane: 'gateway' });
  const registers = [registry];
  new Counter({ name: 'calls_total', help: 'Calls.', labelNames: ['status'], registers }).inc(
    { status: '200' },
    calls,
  );
  new Gauge({ name: 'under_way', help: 'Under way.', registers }).set(inFlight);
  new Gauge({ name: 'nodejs_eventloop_lag_p99_seconds', help: 'Lag.', aggregator: 'average', registers }).set(
    inFlight,
  );
  const seconds = new Histogram({ name: 'seconds', help: 'Seconds.', buckets: [1, 10], registers });
  for (let call = 0; call < calls; call++) seconds.observe(call);
  return JSON.parse(JSON.stringify(await registry.getMetricsAsJSON())) as ReadMetrics;
}

const linesOf = async (metrics: MergedMetrics, own: ReadMetrics = []) =>
  (await metrics.write(own)).split('\n').filter((line) => line !== '' && !line.startsWith('# HELP'));

describe('the metrics of several processes', () => {
  it('are those of one: counted things added up, the longest delay of the event loop', async () => {
    const metrics = new MergedMetrics();
    metrics.note(1, await read(2, 3));
    metrics.note(2, await read(5, 4));
    expect(await linesOf(metrics)).toEqual([
      '# TYPE calls_total counter',
      'calls_total{status="200",plane="gateway"} 7',
      '# TYPE under_way gauge',
      'under_way{plane="gateway"} 7',
      '# TYPE nodejs_eventloop_lag_p99_seconds gauge',
      'nodejs_eventloop_lag_p99_seconds{plane="gateway"} 4',
      '# TYPE seconds histogram',
      'seconds_bucket{le="1",plane="gateway"} 4',
      'seconds_bucket{le="10",plane="gateway"} 7',
      'seconds_bucket{le="+Inf",plane="gateway"} 7',
      'seconds_sum{plane="gateway"} 11',
      'seconds_count{plane="gateway"} 7',
    ]);
  });

  it('keep what ended workers have counted, so that no sum shrinks, and forget what they had in progress', async () => {
    const metrics = new MergedMetrics();
    metrics.note(1, await read(2, 3));
    metrics.note(2, await read(5, 4));
    metrics.end(2);
    metrics.note(2, await read(1, 1));
    metrics.end(2);
    const lines = await linesOf(metrics);
    expect(lines).toContain('calls_total{status="200",plane="gateway"} 8');
    expect(lines).toContain('under_way{plane="gateway"} 3');
    expect(lines).toContain('seconds_count{plane="gateway"} 8');
  });
});
