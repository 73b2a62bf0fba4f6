import { expect, it } from 'vitest';
import { type Day, simulateDay } from './testing/simulate-day.js';

/** `npm run drill:routing` simulates more, and shows what came of it. */
const CALLS = Number(process.env.DRILL_CALLS ?? 20_000);

it('a day of traffic over a good, a slow, a limited, a flaky channel and one that is down for hours', () => {
  const weights = simulateDay({ calls: CALLS });
  const priority = simulateDay({ calls: CALLS, strategy: 'priority' });
  const latency = simulateDay({ calls: CALLS, strategy: 'latency' });
  const cost = simulateDay({ calls: CALLS, strategy: 'cost' });
  if (process.env.DRILL_CALLS !== undefined) show({ 'weights alone': weights, priority, latency, cost });

  for (const day of [priority, latency, cost]) {
    expect(day.successShare).toBeGreaterThanOrEqual(weights.successShare);
    expect(day.successShare).toBeGreaterThan(0.99);
    expect(day.failedAttempts).toBeLessThan(weights.failedAttempts * 0.7);
  }
  expect(latency.p95Ms).toBeLessThan(weights.p95Ms / 2);
  expect(cost.meanCost).toBeLessThan(weights.meanCost * 0.8);
});

function show(days: Readonly<Record<string, Day>>): void {
  const rows = Object.entries(days).map(([name, day]) => {
    const share = `${(100 * day.successShare).toFixed(2)} % answered`;
    const failed = `${day.failedAttempts.toFixed(3)} failed attempts a call`;
    return `${name}: ${share}, p95 ${day.p95Ms} ms, cost ${day.meanCost.toFixed(2)}, ${failed}`;
  });
  process.stdout.write(`${rows.join('\n')}\n`);
}
