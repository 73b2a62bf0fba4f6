import type { Kit } from '../kit.js';
import type { CallRecord } from './call-record.js';

/** Writes down how a call went: log row, metrics, one line. Never blocks and never fails the call. */
export function record(call: CallRecord, kit: Kit): void {
  const row = call.toLogRow();
  kit.requestLog.add(row);
  kit.metrics.observeCall(call, kit.catalog().models.has(call.model) ? call.model : 'other');
  kit.logger.info(
    {
      request_id: row.requestId,
      endpoint: row.endpoint,
      model: row.model,
      channel: row.channel,
      status: row.status,
      error_code: row.errorCode,
      stream: row.stream,
      latency_ms: row.latencyMs,
      ttft_ms: row.ttftMs,
      reason: row.reason,
    },
    'call',
  );
}
