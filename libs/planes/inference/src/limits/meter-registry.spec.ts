import { type Limits, nextSequence, type ScopedLimits, scopeLimits } from '@mg/contract';
import { beforeEach, expect, it } from 'vitest';
import { MeterRegistry } from './meter-registry.js';
import { RedisClock } from './redis-clock.js';

const HOUR_MS = 3_600_000;

let registry: MeterRegistry;
beforeEach(() => {
  registry = new MeterRegistry(new RedisClock(), () => undefined);
});

const scope = (id: string, limits: Limits) =>
  scopeLimits('token', id, limits, nextSequence()) as ScopedLimits;
const limitsOf = (scoped: ScopedLimits) => registry.find(scoped).map(({ limit }) => limit);

it('a call that began under an older limit does not bring it back, not even when another meter is forgotten', () => {
  const older = scope('t', { rpm: 60, concurrency: 5 });
  const unused = scope('unused', { rpm: 1 });
  const newer = scope('t', { rpm: 6, concurrency: 2 });
  expect([limitsOf(older), limitsOf(newer), limitsOf(unused)]).toEqual([[60, 5], [6, 2], [1]]);
  for (const meter of registry.find(newer)) meter.touchedMs = HOUR_MS;
  registry.forgetUnused(HOUR_MS);
  expect([...registry.values()].map(({ name }) => name)).toEqual(
    registry.find(newer).map(({ name }) => name),
  );
  expect([limitsOf(older), limitsOf(newer)]).toEqual([
    [6, 2],
    [6, 2],
  ]);
});

it('nor does a call that meets the older limit first after the newer one, such as that of a channel that it goes on to', () => {
  const older = scope('t', { rpm: 60 });
  const newer = scope('t', { rpm: 6 });
  expect([limitsOf(newer), limitsOf(older)]).toEqual([[6], [6]]);
});
