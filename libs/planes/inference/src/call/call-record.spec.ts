import { GatewayError, type JournalRow, NO_USAGE, parsePrice } from '@mg/contract';
import { describe, expect, it, vi } from 'vitest';
import { CallRecord } from './call-record.js';
import type { GatewayContext } from './gateway-context.js';
import { settle } from './settle.js';

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

  it('is that of a refusal until a channel is asked', () => {
    const record = new CallRecord('req', '/v1/chat/completions', CALLER);
    const attempt = { channel: 'c', outcome: 'failed', status: null, latency_ms: 0, reason: '' } as const;
    const full = new GatewayError('rate_limited', 'Every channel is at its limit.');
    record.attempts.push({ ...attempt, reason: 'not asked: a limit is reached' });
    record.skipped++;
    record.fail(full);
    expect(record.toLogRow().reason).toBe('refused');
    record.attempts.push(attempt);
    record.fail(full);
    expect(record.toLogRow().reason).toBe('upstream_failed');
  });

  it.each([
    [100n, 'completed', 'completed'],
    [101n, 'completed', 'over_hold'],
    [101n, 'client_aborted', 'client_aborted'],
  ] as const)('says of a call that cost %s of 100 held and was %s: %s', async (perRequest, ended, reason) => {
    const record = new CallRecord('req', '/v1/images', CALLER);
    const rows: JournalRow[] = [];
    const price = {
      versionId: 'v',
      effectiveFrom: 0,
      price: parsePrice({ per_request: `0.000000${perRequest}` }),
    };
    const gateway = {
      journal: { charge: async (row: JournalRow) => void rows.push(row) },
    } as unknown as GatewayContext;
    await settle(
      record,
      { requestId: 'req', granted: 100n, price },
      { usage: NO_USAGE, estimated: false },
      gateway,
    );
    record.end(ended);
    expect(record.toLogRow()).toMatchObject({ cost: perRequest, reason });
    expect(rows).toHaveLength(1);
  });
});
