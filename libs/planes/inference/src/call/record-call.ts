import type { RequestLogRow } from '@mg/contract';
import type { GatewayContext } from './gateway-context.js';
import type { CallRecord } from './call-record.js';

/** Writes down how a call went: log row, metrics, one line. Never blocks and never fails the call. */
export function recordCall(call: CallRecord, gateway: GatewayContext): void {
  const row = call.toLogRow();
  gateway.metrics.observeCall(call, gateway.catalog().models.has(call.model) ? call.model : 'other');
  const kept = row.reason === 'refused' ? keepRefusal(row, gateway) : row;
  if (!kept) return;
  gateway.requestLog.add(kept);
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

/** A refusal as it is logged, with those before it that were not; `undefined` when this one is not, either. */
function keepRefusal(
  row: RequestLogRow,
  { refusals, metrics }: Pick<GatewayContext, 'refusals' | 'metrics'>,
): RequestLogRow | undefined {
  const unlogged = refusals.take(row.tokenId);
  if (unlogged === undefined) {
    metrics.unloggedRefusals.inc();
    return undefined;
  }
  if (unlogged === 0) return row;
  return {
    ...row,
    errorMessage: `${row.errorMessage ?? ''} (${unlogged} more refused calls of this key were not logged)`,
  };
}
