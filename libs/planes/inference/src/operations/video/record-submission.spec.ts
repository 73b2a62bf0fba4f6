import type { AttemptRow, Task } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../../call/call-record.js';
import { recordSubmission } from './record-submission.js';

const FAILED: AttemptRow = {
  channel: 'first',
  outcome: 'failed',
  status: 503,
  latency_ms: 12,
  reason: 'priority 1, the only one; status 503: busy',
};
const SERVED: AttemptRow = {
  channel: 'second',
  outcome: 'served',
  status: 200,
  latency_ms: 40,
  reason: 'priority 0',
};

function record(task: Partial<Task>): { readonly attempts: readonly AttemptRow[]; readonly error: unknown } {
  const into = { attempts: [], elapsedMs: () => 99 } as unknown as CallRecord;
  let error: unknown;
  try {
    recordSubmission({ upstreamData: {}, ...task } as Task, into);
  } catch (thrown) {
    error = thrown;
  }
  return { attempts: into.attempts, error };
}

describe('the log of an order for a video', () => {
  it('has each channel that was asked', () => {
    const taken = { state: 'submitted', submittedAt: 2, channelName: 'second' } as const;
    expect(record({ ...taken, attempts: [FAILED, SERVED] }).attempts).toEqual([FAILED, SERVED]);
  });

  it('has them where none took it, and the caller is told', () => {
    const refused = { state: 'failed', finishedAt: 2, channelName: 'first' } as const;
    const { attempts, error } = record({ ...refused, attempts: [FAILED] });
    expect(attempts).toEqual([FAILED]);
    expect(error).toMatchObject({ code: 'upstream_error' });
  });

  it('names the channel that is being asked, and the one of a worker that keeps no list', () => {
    const asked = { state: 'submitting', channelName: 'second' } as const;
    const taken = { state: 'submitted', submittedAt: 2, channelName: 'second' } as const;
    const said = (reason: string) => ({ ...SERVED, latency_ms: 99, reason });
    expect(record({ ...asked, attempts: [FAILED] }).attempts).toEqual([FAILED, said('task submitting')]);
    expect(record({ ...taken, attempts: [] }).attempts).toEqual([said('task submitted')]);
    const lost = { state: 'submit_unknown', channelName: 'second' } as const;
    expect(record({ ...lost, attempts: [FAILED] }).attempts).toEqual([FAILED, said('task submit_unknown')]);
  });
});
