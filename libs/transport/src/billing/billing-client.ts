import { setTimeout as sleep } from 'node:timers/promises';
import {
  BILLING_PATTERN,
  type CreditLimitMessage,
  type CreditLimitReply,
  ERROR_TABLE,
  type ErrorCode,
  GatewayError,
  type HeartbeatMessage,
  type HeartbeatReply,
  type HoldOpenMessage,
  type HoldOpenReply,
  type HoldOwner,
  type LeasePort,
  type TaskMoneyPort,
  type TopUpMessage,
  type TopUpReply,
  type WalletOpenMessage,
  type WalletOpenReply,
  type WalletPort,
} from '@mg/contract';
import type { RedisScope } from '../access/redis-scope.js';
import { NoReplyError, RedisRpcClient } from '../rpc/redis-rpc-client.js';
import { HoldBatcher } from './hold-batcher.js';
import { createLeasePort } from './lease-port.js';
import { createTaskMoney } from './task-money.js';

/** How long a request waits for its reply; it is sent once more. */
const REPLY_MS = 800;
const MAX_TRIES = 2;
/** While billing is away, it is looked for again at this pace, until the time for both tries is over. */
const PAUSE_MS = 100;
const TOTAL_MS = 1_800;

export interface BillingClientOptions {
  readonly redis: RedisScope;
  /** Called once when Redis cannot be reached, until it can again. */
  readonly onOutage?: (error: Error) => void;
}

export interface BillingClient extends WalletPort, TaskMoneyPort, LeasePort {
  close(): Promise<void>;
}

/**
 * The client of the billing plane. Every request may be sent again, so one without a reply is sent once more; after two seconds
 * at most the call fails with `service_unavailable`.
 */
export function createBillingClient(options: BillingClientOptions): BillingClient {
  const client = new RedisRpcClient({ ...options, plane: 'billing' });
  const ask = <Reply>(pattern: string, message: object) => requestTwice<Reply>(client, pattern, message);
  const batcher = new HoldBatcher((message: HoldOpenMessage) =>
    ask<HoldOpenReply>(BILLING_PATTERN.holdOpen, message),
  );
  return {
    ...createTaskMoney(ask),
    ...createLeasePort(ask),
    openHold: (request) => batcher.open(request),
    async openWallet(request) {
      const reply = await ask<WalletOpenReply>(BILLING_PATTERN.walletOpen, {
        id: request.id,
        name: request.name,
        user_id: request.userId ?? null,
        opening_balance: request.openingBalance.toString(),
      } satisfies WalletOpenMessage);
      return { walletId: reply.wallet_id };
    },
    async topUp(request) {
      const reply = await ask<TopUpReply>(BILLING_PATTERN.topUp, {
        wallet_id: request.walletId,
        amount: request.amount.toString(),
        note: request.note,
        idempotency_key: request.idempotencyKey,
      } satisfies TopUpMessage);
      return { entryId: reply.entry_id, balance: BigInt(reply.balance) };
    },
    async limitCredit(request) {
      const reply = await ask<CreditLimitReply>(BILLING_PATTERN.creditLimit, {
        wallet_id: request.walletId,
        credit_limit: request.creditLimit.toString(),
      } satisfies CreditLimitMessage);
      return BigInt(reply.earlier);
    },
    async heartbeat({ instance, epoch }: HoldOwner) {
      await ask(BILLING_PATTERN.heartbeat, { instance, epoch } satisfies HeartbeatMessage);
    },
    async renewHolds({ instance, epoch }: HoldOwner, requestIds: readonly string[]) {
      const message: HeartbeatMessage = { instance, epoch, renew: requestIds };
      return (await ask<HeartbeatReply>(BILLING_PATTERN.heartbeat, message)).renewed;
    },
    async repriceHold({ instance, epoch }: HoldOwner, id: string, priceVersionId: string) {
      const reprice = { id, price_version_id: priceVersionId };
      const message: HeartbeatMessage = { instance, epoch, reprice };
      return (await ask<HeartbeatReply>(BILLING_PATTERN.heartbeat, message)).repriced === true;
    },
    async ping() {
      await ask(BILLING_PATTERN.ping, {});
    },
    close: () => client.close(),
  };
}

async function requestTwice<Reply>(client: RedisRpcClient, pattern: string, message: object): Promise<Reply> {
  const deadline = performance.now() + TOTAL_MS;
  for (let tries = 1; ;) {
    try {
      const withinMs = Math.min(REPLY_MS, deadline - performance.now());
      return (await client.request(pattern, message, withinMs)) as Reply;
    } catch (error) {
      const failure = toGatewayError(error);
      if (failure.code !== 'service_unavailable') throw failure;
      if (error instanceof NoReplyError && error.reason === 'timeout') tries++;
      if (tries > MAX_TRIES || performance.now() + PAUSE_MS > deadline) throw failure;
      await sleep(PAUSE_MS);
    }
  }
}

/** Errors of the billing plane carry a code of the error table; anything else is not for callers. */
function toGatewayError(error: unknown): GatewayError {
  if (typeof error === 'object' && error !== null && 'code' in error && 'message' in error) {
    const code = String(error.code);
    if (code in ERROR_TABLE) {
      const param = 'param' in error && typeof error.param === 'string' ? error.param : undefined;
      return new GatewayError(code as ErrorCode, String(error.message), { param });
    }
  }
  return new GatewayError(
    'service_unavailable',
    'Billing cannot be reached at the moment; try again shortly.',
    {
      retryAfter: 1,
      cause: error,
    },
  );
}
