import { Registry } from '@mg/runtime';
import { describe, expect, it } from 'vitest';
import { BatchedCounter } from './batched-counter.js';

describe('BatchedCounter', () => {
  it('shows what was added by label set, at every scrape the whole of it', async () => {
    const registry = new Registry();
    const counter = new BatchedCounter(registry, {
      name: 'calls_total',
      help: 'Calls.',
      labelNames: ['model', 'status'],
    });
    const good = counter.open({ model: 'small', status: '200' });
    counter.open({ model: 'small', status: '500' });
    good.value += 2;
    expect(await registry.metrics()).toContain('calls_total{model="small",status="200"} 2');
    good.value += 1;
    const shown = await registry.metrics();
    expect(shown).toContain('calls_total{model="small",status="200"} 3');
    expect(shown).not.toContain('status="500"');
  });
});
