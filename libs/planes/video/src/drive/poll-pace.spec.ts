import { describe, expect, it } from 'vitest';
import { nextPollSeconds, nextRateSeconds, nextRoomSeconds } from './poll-pace.js';

describe('nextPollSeconds', () => {
  it.each([
    [0, 3],
    [60_000, 6],
    [600_000, 15],
  ])('polls a job of %i ms after %i s', (elapsedMs, seconds) => {
    expect(nextPollSeconds({}, { elapsedMs, failures: 0 })).toBe(seconds);
  });

  it('takes the pace of its provider, and slows down while polls report nothing', () => {
    const surface = { pollEveryMs: { first: 500, longest: 1_000 } };
    expect(nextPollSeconds(surface, { elapsedMs: 0, failures: 0 })).toBe(0.5);
    expect(nextPollSeconds(surface, { elapsedMs: 0, failures: 3 })).toBe(4);
    expect(nextPollSeconds(surface, { elapsedMs: 0, failures: 500 })).toBe(60);
  });
});

it('looks for room at a full channel every 10 to 12.5 s, not with all others', () => {
  expect([1, 0].map(nextRoomSeconds)).toEqual([10, 12.5]);
});

it('reads a long order for a rate the more seldom the longer it waits, from 10 s to a minute', () => {
  const pauses = [0, 300_000, 600_000, 86_400_000].map((waitedMs) =>
    [1, 0].map((random) => nextRateSeconds(waitedMs, random)),
  );
  expect(pauses).toEqual([
    [10, 12.5],
    [24, 30],
    [48, 60],
    [48, 60],
  ]);
});
