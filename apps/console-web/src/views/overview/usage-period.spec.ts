import { expect, it } from 'vitest';
import { beginOf, beginOfBefore, toChartPoints, toLogPeriod } from './usage-period.js';

const NOW_MS = Date.parse('2027-01-04T12:34:00Z');

it('begins at the begin of its first day or hour', () => {
  expect(beginOf({ count: 7, bucket: 'day' }, NOW_MS)).toBe('2026-12-29T00:00:00.000Z');
  expect(beginOf({ count: 24, bucket: 'hour' }, NOW_MS)).toBe('2027-01-03T13:00:00.000Z');
});

it('is compared to as much of the period before', () => {
  expect(beginOfBefore({ count: 7, bucket: 'day' }, NOW_MS)).toEqual({
    from: '2026-12-22T00:00:00.000Z',
    to: '2026-12-28T12:00:00.000Z',
  });
});

it('leads to the logs of the same time', () => {
  expect(toLogPeriod({ count: 24, bucket: 'hour' }, NOW_MS)).toEqual({ preset: 'day' });
  expect(toLogPeriod({ count: 7, bucket: 'day' }, NOW_MS).from).toMatch(/^2026-12-2[89]$/);
});

it('draws every day, those without calls too', () => {
  const point = {
    at: '2027-01-03T00:00:00.000Z',
    calls: 7,
    errors: 4,
    client_errors: 2,
    server_errors: 1,
    input_tokens: 1,
    output_tokens: 1,
    cached_input_tokens: 0,
    cost: '0.5',
    latency_p50_ms: 10,
    latency_p95_ms: 20,
    ttft_p50_ms: null,
  };
  const days = toChartPoints([point], { count: 3, bucket: 'day' }, NOW_MS);
  expect(days.map((day) => day.time)).toEqual(['Jan 2', 'Jan 3', 'Jan 4']);
  const [day] = toChartPoints([point], { count: 1, bucket: 'day' }, NOW_MS, 'zh');
  expect(day?.time).toBe('1月4日');
  expect(days[0]).toMatchObject({
    spend: 0,
    succeeded: 0,
    serverErrors: 0,
    unclassifiedErrors: 0,
    p50: null,
  });
  expect(days[1]).toMatchObject({ spend: 0.5, succeeded: 3, p50: 10, p95: 20 });
  expect(days[1]).toMatchObject({ clientErrors: 2, serverErrors: 1, unclassifiedErrors: 1 });
});
