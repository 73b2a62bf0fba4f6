import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayError } from '@mg/contract';
import type { FastifyReply } from 'fastify';
import type { CallRecord } from './call-record.js';
import type { GatewayContext } from './gateway-context.js';

/** What the caller has done wrong and would do wrong again. */
const MISTAKES: ReadonlySet<number> = new Set([400, 403, 404, 413, 415]);
const PAUSE_MS = 250;

/**
 * Slows down who repeats the same mistake as fast as it is refused, as agents do without a model that they count on: it is told
 * later, with `Retry-After`.
 */
export async function slowDown(
  error: GatewayError,
  record: CallRecord,
  reply: FastifyReply,
  { shares }: Pick<GatewayContext, 'shares'>,
): Promise<void> {
  const isMistake = MISTAKES.has(error.status) && record.attempts.length === record.skipped;
  if (!isMistake || !shares.refusals.isOver(record.caller.id)) return;
  reply.header('retry-after', '1');
  await sleep(PAUSE_MS);
}
