import { GatewayError, type Task, type TaskError } from '@mg/contract';
import type { CallRecord } from '../../call/call-record.js';

/**
 * Notes which channels were asked to take a task, and which one did. Of a submit that is under way or was lost, and of
 * those that a worker of an earlier version made, the channel alone is known. A task that no provider took is an error to its creator;
 * one that failed later is a task that failed.
 *
 * @throws GatewayError `invalid_request`, `loop_detected`, `upstream_error` or `upstream_unavailable` with what the provider said.
 */
export function recordSubmission(task: Task, record: CallRecord): void {
  const { channelName, attempts = [] } = task;
  const isRefused = task.finishedAt !== undefined && task.submittedAt === undefined;
  record.attempts.push(...attempts);
  if (channelName !== undefined) record.channel = channelName;
  if (channelName !== undefined && attempts.at(-1)?.channel !== channelName) {
    record.attempts.push({
      channel: channelName,
      outcome: isRefused ? 'failed' : 'served',
      status: isRefused ? null : 200,
      latency_ms: record.elapsedMs(),
      reason: isRefused ? (task.error?.message ?? task.state) : explainTaken(task),
    });
  }
  if (isRefused) throw explainRefusal(task.error);
}

function explainTaken(task: Task): string {
  const dropped = listDropped(task);
  return dropped === undefined ? `task ${task.state}` : `task ${task.state}; dropped ${dropped}`;
}

/** Hints that the provider had no place for, as `seed,fps`. */
export function listDropped({ upstreamData: { dropped } }: Task): string | undefined {
  return Array.isArray(dropped) ? dropped.join(',').replaceAll(/[^\x20-\x7e]/g, '?') : undefined;
}

function explainRefusal(error: TaskError | undefined): GatewayError {
  const message = error?.message ?? 'The task was cancelled before it was submitted.';
  if (error?.status === 400) return new GatewayError('invalid_request', message, { param: error.param });
  if (error?.status === 508) return new GatewayError('loop_detected', message, { upstreamStatus: 508 });
  return new GatewayError(error?.status === 503 ? 'upstream_unavailable' : 'upstream_error', message, {
    retryAfter: error?.retryAfter,
  });
}
