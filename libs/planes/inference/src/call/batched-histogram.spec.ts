import { Histogram, Registry } from '@mg/runtime';
import { describe, expect, it } from 'vitest';
import { BatchedHistogram } from './batched-histogram.js';

const OPTIONS = { name: 'seconds', help: 'Seconds.', buckets: [0.1, 1, 10] };
const VALUES = [0.05, 0.1, 0.5, 1, 4, 10, 11, 500];

describe('BatchedHistogram', () => {
  it('shows what prom-client shows of the same values', async () => {
    const [ours, theirs] = [new Registry(), new Registry()];
    const batched = new BatchedHistogram<'model'>(ours, OPTIONS);
    const histogram = new Histogram({ ...OPTIONS, labelNames: ['model'], registers: [theirs] });
    for (const model of ['small', 'large']) {
      const figure = batched.open({ model });
      for (const value of VALUES) {
        figure.observe(value);
        histogram.observe({ model }, value);
      }
    }
    batched.open({ model: 'unused' });
    batched.open({ model: 'small' }).observe(2);
    histogram.observe({ model: 'small' }, 2);
    expect(sortLines(await ours.metrics())).toEqual(sortLines(await theirs.metrics()));
    expect(await listValues(ours)).toEqual(await listValues(theirs));
  });

  it('leaves out what is no number', async () => {
    const registry = new Registry();
    const figure = new BatchedHistogram<'model'>(registry, OPTIONS).open({ model: 'small' });
    figure.observe(Number.NaN);
    figure.observe(2);
    expect(await registry.metrics()).toContain('seconds_sum{model="small"} 2\n');
  });
});

/** What processes tell each other of their metrics; nobody keeps exemplars. */
async function listValues(registry: Registry): Promise<object[]> {
  const metrics = await registry.getMetricsAsJSON();
  return metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => ({ ...value, exemplar: undefined })),
  }));
}

/** Lines of an exposition, and the labels of each, in one order. */
function sortLines(exposition: string): string[] {
  return exposition
    .split('\n')
    .map((line) =>
      line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort().join(',')}}`),
    );
}
