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

  it('leaves what is no day to the API', () => {
    expect(toLogQuery({ from: 'yesterday' })).toEqual({ from: 'yesterday' });
  });
});
