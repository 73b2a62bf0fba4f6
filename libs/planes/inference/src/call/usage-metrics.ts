import type { SpoolLevel } from '@mg/persistence/gateway';
import { type Aggregator, Counter, Gauge, type Registry } from '@mg/runtime';

/** What is read off when metrics are asked for. */
export interface UsageReadings {
  /** What waits in the spool: of this process, and of ended ones that could not be replayed yet. */
  spoolLevel(): SpoolLevel;
  replayedRows(): number;
  unspooledRows(): number;
}

/** Metrics of the usage spool. */
export function registerUsageMetrics(registry: Registry, readings: UsageReadings): void {
  const showLevel = (
    name: string,
    help: string,
    read: (level: SpoolLevel) => number,
    aggregator: Aggregator = 'sum',
  ) => {
    const collect = () => gauge.set(read(readings.spoolLevel()));
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect, aggregator });
  };
  const showTotal = (name: string, help: string, read: () => number) => {
    const collect = () => {
      counter.reset();
      counter.inc(read());
    };
    const counter: Counter = new Counter({ name, help, registers: [registry], collect });
  };
  showLevel(
    'gateway_usage_spool_rows',
    'Usage rows that wait in the spool for Postgres.',
    ({ rows }) => rows,
  );
  showLevel('gateway_usage_spool_bytes', 'Bytes of the segments that hold them.', ({ bytes }) => bytes);
  showLevel(
    'gateway_usage_spool_oldest_seconds',
    'Age of the segment that waits longest; 0 when nothing waits.',
    ({ oldestSeconds }) => oldestSeconds,
    'max',
  );
  showTotal(
    'gateway_usage_spool_replayed_rows_total',
    'Usage rows written to Postgres for processes that had ended.',
    () => readings.replayedRows(),
  );
  showTotal(
    'gateway_usage_spool_failed_rows_total',
    'Usage rows that the spool did not take: their answers waited for Postgres.',
    () => readings.unspooledRows(),
  );
}
