import type { FormPart } from '@mg/protocols';
import type { FastifyRequest } from 'fastify';
import type { BodyLease } from '../edge/body-budget.js';
import { isForm, readForm } from '../edge/read-form.js';
import { readJsonBody } from '../edge/read-json-body.js';
import type { Spool } from '../edge/spool.js';
import type { BilledEndpoint, ReceivedBody } from './operation.js';

/**
 * The body of a billed call, which counts against the gateway's budget until the call ends.
 *
 * @throws GatewayError `unsupported_media_type`, `invalid_request`, `request_too_large`, `rate_limited` or `service_unavailable`.
 */
export function receive(
  request: FastifyRequest,
  { form, formOnly }: Pick<BilledEndpoint, 'form' | 'formOnly'>,
  lease: BodyLease,
  spool: Spool,
): Promise<ReceivedBody> {
  if (form === undefined || (!formOnly && !isForm(request))) return readJsonBody(request, lease);
  return readForm(request, form, { lease, spool }).then(({ parts }) => parts);
}

/** The bytes of a body that was received as JSON: an endpoint without form limits takes nothing else. */
export function needJson(body: ReceivedBody): Buffer {
  if (Buffer.isBuffer(body)) return body;
  throw new TypeError('A form was received where the endpoint takes JSON.');
}

/** The parts of a body that was received as a form. */
export function needForm(body: ReceivedBody): readonly FormPart[] {
  if (!Buffer.isBuffer(body)) return body;
  throw new TypeError('JSON was received where the endpoint takes a form.');
}
