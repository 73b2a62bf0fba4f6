import {
  GatewayError,
  type HoldMessage,
  type HoldOutcome,
  type HoldReply,
  type HoldRequest,
  omitUndefined,
} from '@mg/contract';

/** A billion USD: more than any wallet can set aside for one call. */
const MAX_AMOUNT = 10n ** 18n - 1n;

/** @throws GatewayError `invalid_request` when a call may cost more than can be set aside at all. */
export function toHoldMessage(request: HoldRequest): HoldMessage {
  if (request.minimum > MAX_AMOUNT) {
    throw new GatewayError(
      'invalid_request',
      'This call may cost more than 1000000000 USD by the price of its model, which cannot be set aside.',
      { param: 'model' },
    );
  }
  const wanted = request.wanted > MAX_AMOUNT ? MAX_AMOUNT : request.wanted;
  return {
    id: request.id,
    wallet_id: request.walletId,
    token_id: request.tokenId,
    model: request.model,
    price_version_id: request.priceVersionId,
    wanted: wanted.toString(),
    minimum: request.minimum.toString(),
    ttl_seconds: request.ttlSeconds,
    owner_instance: request.owner.instance,
    owner_epoch: request.owner.epoch,
  };
}

/**
 * Reads billing's word on a hold.
 *
 * @throws GatewayError of billing's code when the request itself was at fault, `service_unavailable` when there is no reply.
 */
export function readHoldReply(reply: HoldReply | undefined): HoldOutcome {
  if (reply === undefined) throw new GatewayError('service_unavailable', 'Billing left a request out.');
  if ('failed' in reply) throw new GatewayError(reply.failed, reply.message);
  if ('granted' in reply) return { granted: BigInt(reply.granted) };
  const { refused, message, retryAfter } = reply;
  return omitUndefined({ refused, message, retryAfter });
}

/** Whether only leases keep a hold from being granted: their owners give back what is not in use. */
export function isLeased(reply: HoldReply): boolean {
  return 'refused' in reply && reply.leased === true;
}
