import type { GatewayContext } from './gateway-context.js';
import type { CallRecord } from './call-record.js';

/** Writes down how a call went: log row, metrics, one line. Never blocks and never fails the call. */
export function recordCall(call: CallRecord, gateway: GatewayContext): void {
  const row = call.toLogRow();
  if (!call.isUnlogged) gateway.requestLog.add(row);
  gateway.metrics.observeCall(call, gateway.catalog().models.has(call.model) ? call.model : 'other');
  gateway.logger.info(
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
