import { setTimeout as sleep } from 'node:timers/promises';
import { type CallerToken, formatUsd, GatewayError, usageFromRow, usageToRow } from '@mg/contract';
import type { CallerAccount } from '@mg/persistence/gateway';
import { askAccount } from './ask-account.js';

const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A row is written within this time of its call's end, whichever gateway wrote it. */
const WRITTEN_WITHIN_MS = 500;

/**
 * One call of the key's wallet: what it used and what it cost.
 *
 * @throws GatewayError `not_found` for unknown calls and for those of other wallets alike, `service_unavailable`.
 */
export async function showCall(caller: CallerToken, requestId: string, account: CallerAccount) {
  const find = () => askAccount(account.findCall(caller, requestId));
  const isId = REQUEST_ID.test(requestId);
  let call = isId ? await find() : null;
  if (isId && !call) {
    await sleep(WRITTEN_WITHIN_MS);
    call = await find();
  }
  if (!call) {
    throw new GatewayError('not_found', 'There is no call of this id.', { param: 'request_id' });
  }
  return {
    object: 'usage.call',
    request_id: call.requestId,
    created_at: call.createdAt.toISOString(),
    model: call.model,
    asked_model: call.askedModel,
    endpoint: call.endpoint,
    status: call.status,
    error_code: call.errorCode,
    stream: call.stream,
    latency_ms: call.latencyMs,
    ttft_ms: call.ttftMs,
    usage: usageToRow(usageFromRow(call.usage)),
    cost: formatUsd(call.cost),
    estimated: call.estimated,
    reason: call.reason,
  };
}
