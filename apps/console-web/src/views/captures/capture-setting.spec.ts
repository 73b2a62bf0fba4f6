import { expect, it } from 'vitest';
import { toCaptureSetting } from './capture-setting.js';

const NOW = Date.parse('2027-01-01T00:00:00Z');

it('keeps bodies for some hours from now on, each for some hours', () => {
  expect(toCaptureSetting(24, 1, NOW)).toEqual({ until: '2027-01-02T00:00:00.000Z', keep_seconds: 3_600 });
});

it('stays within seven days where the clock of the browser is ahead', () => {
  expect(toCaptureSetting(168, 168, NOW)).toEqual({
    until: '2027-01-07T23:59:00.000Z',
    keep_seconds: 604_800,
  });
});
