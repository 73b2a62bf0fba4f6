import { describe, expect, it } from 'vitest';
import { toLogQuery } from './log-search.js';

describe('toLogQuery', () => {
  it('asks from the begin of the first day to the end of the last, as the reader counts days', () => {
    const { from, to } = toLogQuery({ from: '2027-02-28', to: '2027-02-28' });
    expect([from, to]).toEqual([new Date(2027, 1, 28).toISOString(), new Date(2027, 2, 1).toISOString()]);
  });

  it('passes other filters on, and not which call is open', () => {
    expect(toLogQuery({ model: 'a', status: '429', call: 'id' })).toEqual({ model: 'a', status: '429' });
  });

  it('asks by a period that goes along with the clock', () => {
    const nowMs = new Date(2027, 1, 28, 12, 34, 56).getTime();
    expect(toLogQuery({ preset: 'hour', sort: 'cost' }, nowMs)).toEqual({
      from: new Date(2027, 1, 28, 11, 34).toISOString(),
      sort: 'cost',
    });
    expect(toLogQuery({ preset: 'yesterday', from: '2020-01-01' }, nowMs)).toEqual({
      from: new Date(2027, 1, 27).toISOString(),
      to: new Date(2027, 1, 28).toISOString(),
    });
  });

  it('leaves what is no day to the API', () => {
    expect(toLogQuery({ from: 'yesterday' })).toEqual({ from: 'yesterday' });
  });
});
