import type { PinnedPrice } from '@mg/contract';
import type { GatewayContext } from './gateway-context.js';

/**
 * Has billing charge an open hold by another price. Answers whether it does: not where billing cannot be reached, or the hold
 * is not open any more. A failure is logged and counted, since the call may then be charged by the earlier price.
 */
export async function repriceHold(
  requestId: string,
  { versionId }: PinnedPrice,
  { wallet, owner, metrics, logger }: GatewayContext,
): Promise<boolean> {
  let reason: unknown = 'billing knows no open hold of this call';
  try {
    if (await wallet.repriceHold(owner, requestId, versionId)) return true;
  } catch (error) {
    reason = error;
  }
  metrics.repricesFailed.inc();
  logger.warn(
    { err: reason, request_id: requestId, price_version: versionId },
    'a hold keeps its earlier price',
  );
  return false;
}
