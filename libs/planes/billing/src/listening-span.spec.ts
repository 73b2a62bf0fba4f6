import { describe, expect, it } from 'vitest';
import { ListeningSpan } from './listening-span.js';

function setUp() {
  let nowMs = 1_000_000;
  const span = new ListeningSpan(() => nowMs);
  const pass = (seconds: number, canHear = true) => {
    for (let second = 0; second < seconds; second += 5) {
      nowMs += 5_000;
      span.note(canHear);
    }
  };
  return { span, pass, freeze: (seconds: number) => (nowMs += seconds * 1_000) };
}

describe('F4: how long billing could hear heartbeats', () => {
  it('counts from the first moment on', () => {
    const { span, pass } = setUp();
    expect(span.ms).toBe(0);
    pass(60);
    expect(span.ms).toBe(55_000);
  });

  it('begins again after an outage', () => {
    const { span, pass } = setUp();
    pass(600);
    pass(5, false);
    expect(span.ms).toBe(0);
    pass(30);
    expect(span.ms).toBe(25_000);
  });

  it('begins again after a freeze of its own process, before it says anything about others', () => {
    const { span, pass, freeze } = setUp();
    pass(600);
    freeze(70);
    span.note(true);
    expect(span.ms).toBe(0);
  });
});
