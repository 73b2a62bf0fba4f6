import {
  type CreditLimitRequest,
  explainIssue,
  GatewayError,
  type HoldRequest,
  LONGEST_BATCH_HOLD_SECONDS,
  LONGEST_HOLD_SECONDS,
  MAX_HOLDS_PER_MESSAGE,
  MAX_RENEWALS_PER_MESSAGE,
  type TopUpRequest,
  type WalletOpenRequest,
} from '@mg/contract';
import { z } from 'zod';

export const id = z.guid('must be a UUID');
export const text = z.string().min(1, 'must not be empty').max(256, 'must be at most 256 characters');
const amount = z
  .string()
  .regex(/^-?\d{1,18}$/, 'must be a whole number of nano-dollars in digits')
  .transform(BigInt);
export const positive = z
  .string()
  .regex(/^\d{1,18}$/, 'must be a whole number of nano-dollars in digits, not negative')
  .transform(BigInt);

/** For how long money may be held for calls, in seconds. */
export const longestHold = z.int().min(1).max(LONGEST_HOLD_SECONDS);

/** A request for a hold that lives for so long at most. */
export const holdSchema = (maxTtlSeconds: number) =>
  z
    .strictObject({
      id,
      wallet_id: id,
      token_id: id,
      model: text,
      price_version_id: id,
      wanted: positive,
      minimum: positive,
      ttl_seconds: z.int().min(1).max(maxTtlSeconds),
      owner_instance: text,
      owner_epoch: text,
    })
    .transform((row): HoldRequest => ({
      id: row.id,
      walletId: row.wallet_id,
      tokenId: row.token_id,
      model: row.model,
      priceVersionId: row.price_version_id,
      wanted: row.wanted,
      minimum: row.minimum,
      ttlSeconds: row.ttl_seconds,
      owner: { instance: row.owner_instance, epoch: row.owner_epoch },
    }));

export const holdOpenSchema = z
  .strictObject({ holds: z.array(holdSchema(LONGEST_BATCH_HOLD_SECONDS)).min(1).max(MAX_HOLDS_PER_MESSAGE) })
  .transform((message) => message.holds);

export const walletOpenSchema = z
  .strictObject({ id, name: text, user_id: id.nullable(), opening_balance: positive })
  .transform((message): WalletOpenRequest => ({
    id: message.id,
    name: message.name,
    userId: message.user_id ?? undefined,
    openingBalance: message.opening_balance,
  }));

export const topUpSchema = z
  .strictObject({
    wallet_id: id,
    amount: amount.refine((nano) => nano !== 0n, 'must not be zero'),
    note: z.string().max(1_000, 'must be at most 1000 characters'),
    idempotency_key: text,
  })
  .transform((message): TopUpRequest => ({
    walletId: message.wallet_id,
    amount: message.amount,
    note: message.note,
    idempotencyKey: message.idempotency_key,
  }));

export const creditLimitSchema = z
  .strictObject({ wallet_id: id, credit_limit: positive })
  .transform((message): CreditLimitRequest => ({
    walletId: message.wallet_id,
    creditLimit: message.credit_limit,
  }));

export const heartbeatSchema = z.strictObject({
  instance: text,
  epoch: text,
  renew: z.array(id).max(MAX_RENEWALS_PER_MESSAGE).default([]),
  reprice: z.strictObject({ id, price_version_id: id }).optional(),
});

/**
 * Reads a message as it came off the transport.
 *
 * @throws GatewayError `invalid_request` with a sentence that names the field.
 */
export function readMessage<Schema extends z.ZodType>(schema: Schema, payload: unknown): z.output<Schema> {
  const result = schema.safeParse(payload);
  if (result.success) return result.data;
  const { param, message } = explainIssue(result.error);
  throw new GatewayError('invalid_request', message, { param });
}
