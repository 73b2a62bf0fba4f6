import { type AttemptRow, formatUsd, parsePrice, readPhrases, usageFromRow, usageToRow } from '@mg/contract';
import type { LoggedCallRow, PriceVersionRow, SettledCall } from '@mg/persistence/console';
import type { z } from 'zod';
import { type Caller, seesUpstream } from '../http/caller.js';
import { explainCost } from './explain-cost.js';
import type { logSchema } from './log-schemas.js';

export type LogView = z.output<typeof logSchema>;

/**
 * A logged call with its cost explained; the ledger's word counts where it has spoken. Only administrators see the channel
 * and the attempts.
 */
export function toLogView(
  caller: Caller,
  call: LoggedCallRow,
  settled: SettledCall | undefined,
  price: PriceVersionRow | undefined,
): LogView {
  const isShown = seesUpstream(caller);
  const usage = usageFromRow(settled?.usage ?? call.usage);
  const charged = settled?.charged ?? call.cost;
  return {
    request_id: call.requestId,
    created_at: call.createdAt.toISOString(),
    token_id: call.tokenId,
    token_name: call.tokenName,
    model: call.model,
    asked_model: call.askedModel,
    endpoint: call.endpoint,
    channel: isShown ? call.channel : null,
    status: call.status,
    error_code: call.errorCode,
    error_message: call.errorMessage,
    error_phrases: readPhrases(call.errorMessage ?? ''),
    stream: call.stream,
    latency_ms: call.latencyMs,
    ttft_ms: call.ttftMs,
    usage: usageToRow(usage),
    cost: formatUsd(charged),
    estimated: settled?.usage ? settled.estimated : call.estimated,
    reason: call.reason,
    lines: explainCost(charged, usage, price && parsePrice(price.price)),
    attempts: isShown ? call.attempts.map(toAttemptView) : [],
    price_version: call.priceVersionId,
  };
}

function toAttemptView(attempt: AttemptRow): LogView['attempts'][number] {
  return { ...attempt, reason_phrases: readPhrases(attempt.reason) };
}
