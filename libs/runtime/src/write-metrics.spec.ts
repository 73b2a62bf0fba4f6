import { Counter, Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { writeMetrics } from './write-metrics.js';

const MODELS = 400;

function fill(registry: Registry): Registry {
  registry.setDefaultLabels({ plane: 'gateway' });
  for (const name of ['first', 'second', 'third']) {
    const calls = new Counter({
      name: `${name}_calls`,
      help: name,
      labelNames: ['model'],
      registers: [registry],
    });
    const times = new Histogram({
      name: `${name}_seconds`,
      help: name,
      labelNames: ['model'],
      registers: [registry],
    });
    for (let model = 0; model < MODELS; model++) {
      calls.inc({ model: `m-${model}` }, model);
      times.observe({ model: `m-${model}` }, model / 100);
    }
  }
  return registry;
}

it('M5: a scrape is written metric by metric, and others go on in between', async () => {
  const registry = fill(new Registry());
  const text = await registry.metrics();
  let turns = 0;
  let isWritten = false;
  const count = () => {
    turns++;
    if (!isWritten) setImmediate(count);
  };
  setImmediate(count);
  const written = await writeMetrics(registry);
  isWritten = true;
  expect(written === text).toBe(true);
  expect(turns).toBeGreaterThanOrEqual(2);
});

it('writes nothing of an empty registry', async () => {
  expect(await writeMetrics(new Registry())).toBe(await new Registry().metrics());
});
