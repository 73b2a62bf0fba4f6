import { type Collector, type ExportedSpan, findFreePorts, readAttribute, startCollector } from '@mg/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UPSTREAM_KEY, VideoTestBed } from '../testing/video-test-bed.js';

describe('a traced video task', () => {
  let bed: VideoTestBed;
  let collector: Collector;
  beforeAll(async () => {
    bed = await VideoTestBed.open();
  });
  beforeEach(async () => {
    await bed.clear();
    collector = await startCollector();
    return () => collector.close();
  });
  afterAll(() => bed.stop());

  const start = (name: string, share = '1') =>
    bed.startWorker(name, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: share,
    });

  /** What was exported, once the workers are gone. */
  const listSpans = async () => {
    await bed.closeWorkers();
    return collector.listSpans();
  };

  const nameBelow = (spans: readonly ExportedSpan[], parent: ExportedSpan | undefined) =>
    spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId).map(({ name }) => name);

  it('is one trace by its request id, with its steps, its requests to the provider and its webhook', async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker' });
    await start('traced');
    const [port] = await findFreePorts(1);
    const task = await bed.openTask({ callbackUrl: `http://127.0.0.1:${port}/hook` });
    await bed.wake(task);
    await bed.waitFor(task, 'succeeded');
    const isCalledBack = () => collector.listSpans().some(({ name }) => name.startsWith('webhook'));
    await expect.poll(isCalledBack).toBe(true);
    const spans = await listSpans();
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([task.id.replaceAll('-', '')]));
    const find = (step: string) => spans.find(({ name }) => name === `${step} ${bed.payer.model}`);
    expect(readAttribute(find('submit'), 'gateway.request_id')).toBe(task.id);
    expect(readAttribute(find('submit'), 'gateway.outcome')).toBe('continues');
    expect(nameBelow(spans, find('submit'))).toEqual(['ask channel-0']);
    expect(nameBelow(spans, find('poll'))).toEqual(['ask channel-0']);
    expect(readAttribute(find('webhook'), 'gateway.outcome')).toBe('failed');
    const submit = bed.fake.requests.find(({ kind }) => kind === 'create');
    const asked = spans.find(({ parentSpanId }) => parentSpanId === find('submit')?.spanId);
    expect(submit?.headers['traceparent']).toBe(`00-${asked?.traceId}-${asked?.spanId}-01`);
    const text = JSON.stringify(collector.exports);
    for (const secret of [UPSTREAM_KEY, 'a cat']) expect(text).not.toContain(secret);
  });

  it('that no worker samples leaves nothing, and its provider is sent no trace', async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker' });
    await start('untraced', '0');
    const task = await bed.openTask();
    await bed.wake(task);
    await bed.waitFor(task, 'succeeded');
    expect(await listSpans()).toEqual([]);
    const submit = bed.fake.requests.find(({ kind }) => kind === 'create');
    expect(submit?.headers['traceparent']).toBeUndefined();
  });
});
