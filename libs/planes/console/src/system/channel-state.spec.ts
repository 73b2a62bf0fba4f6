import { expect, it } from 'vitest';
import { deriveChannelState } from './channel-state.js';

type Counts = readonly [served: number, failed: number];

function judge(hour: Counts, day: Counts = hour, isResting = false) {
  const toCounts = ([served, failed]: Counts) => ({ served, failed });
  const attempts = { hour: toCounts(hour), day: toCounts(day), lastFailure: undefined };
  return deriveChannelState({ enabled: true, isResting, attempts });
}

it('a channel that never answered is failing, rested or not, and stays so when nobody asks it any more', () => {
  expect(judge([0, 3])).toBe('failing');
  expect(judge([0, 3], [0, 3], true)).toBe('failing');
  expect(judge([0, 0], [0, 7])).toBe('failing');
  expect(judge([0, 1], [900, 1])).toBe('failing');
});

it('a channel that fails now and then is degraded, and so is one that is rested', () => {
  expect(judge([90, 10])).toBe('degraded');
  expect(judge([100, 0], [100, 0], true)).toBe('degraded');
});

it('a channel is healthy when it answered in the last hour', () => {
  expect(judge([1, 0])).toBe('healthy');
  expect(judge([96, 4])).toBe('healthy');
});

it('a channel that nobody asked is idle', () => {
  expect(judge([0, 0], [40, 2])).toBe('idle');
  expect(deriveChannelState({ enabled: true, isResting: false, attempts: undefined })).toBe('idle');
  expect(deriveChannelState({ enabled: false, isResting: false, attempts: undefined })).toBe('disabled');
});
