import { describe, expect, it } from 'vitest';
import { splitTimeRange } from './split-time-range.js';

function split(from: string, to: string, byHour = false): string[] {
  const range = splitTimeRange(new Date(from), new Date(to), { byHour });
  return Object.values(range).map((moment: Date) => moment.toISOString().slice(8, 16));
}

describe('splitTimeRange', () => {
  it('takes whole days, whole hours around them and the rest at the ends', () => {
    expect(split('2027-03-01T10:20:00Z', '2027-03-05T06:40:00Z')).toEqual([
      '01T10:20',
      '01T11:00',
      '02T00:00',
      '05T00:00',
      '05T06:00',
      '05T06:40',
    ]);
  });

  it('takes no day where there is no whole one, or hours are asked for', () => {
    const hours = ['01T10:00', '01T10:00', '02T00:00', '02T00:00', '02T06:00', '02T06:00'];
    expect(split('2027-03-01T10:00:00Z', '2027-03-02T06:00:00Z')).toEqual(hours);
    expect(split('2027-03-01T00:00:00Z', '2027-03-03T00:00:00Z', true)).toEqual([
      '01T00:00',
      '01T00:00',
      '01T00:00',
      '01T00:00',
      '03T00:00',
      '03T00:00',
    ]);
  });

  it('takes minutes within an hour call by call, and nothing of an empty range', () => {
    expect(split('2027-03-01T10:20:00Z', '2027-03-01T10:50:00Z')).toEqual([
      '01T10:20',
      ...Array<string>(5).fill('01T10:50'),
    ]);
    expect(new Set(split('2027-03-02T10:20:00Z', '2027-03-01T10:50:00Z'))).toEqual(new Set(['02T10:20']));
  });
});
