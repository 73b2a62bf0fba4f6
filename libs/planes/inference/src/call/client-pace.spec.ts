import { UpstreamFailure } from '@mg/transport';
import { expect, it } from 'vitest';
import { classifyFailure } from './classify-failure.js';
import { ClientPace } from './client-pace.js';

const BROKE = classifyFailure(new UpstreamFailure('broken', 'the connection to the upstream broke'));

it('blames no channel that broke off after its client had made it wait', () => {
  let nowMs = 0;
  const pace = new ClientPace(() => nowMs);
  expect(pace.judge(BROKE).kind).toBe('broken');
  for (const waitMs of [2_000, 2_000]) {
    pace.noteFull();
    nowMs += waitMs;
    pace.noteDrained();
    nowMs += 60_000;
  }
  expect(pace.judge(BROKE).kind).toBe('broken');
  pace.noteFull();
  nowMs += 1_000;
  expect(pace.judge(BROKE)).toEqual({ ...BROKE, kind: undefined });
});
