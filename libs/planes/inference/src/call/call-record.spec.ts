import { describe, expect, it, vi } from 'vitest';
import { CallRecord } from './call-record.js';

const CALLER = { id: 'tok', name: 'test', userId: 'usr', walletId: 'wal' } as CallRecord['caller'];

describe('the record of a call', () => {
  it('says the same latency in the body of an answer as in its header', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const record = new CallRecord('req', '/v1/videos', CALLER);
      vi.advanceTimersByTime(120);
      const inBody = record.answerLatencyMs();
      vi.advanceTimersByTime(7);
      expect([inBody, record.answerLatencyMs(), record.elapsedMs()]).toEqual([120, 120, 127]);
    } finally {
      vi.useRealTimers();
    }
  });
});
