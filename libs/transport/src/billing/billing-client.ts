import { setTimeout as sleep } from 'node:timers/promises';
import {
  BILLING_PATTERN,
  type CreditLimitMessage,
  type CreditLimitReply,
  ERROR_TABLE,
  type ErrorCode,
  GatewayError,
  type HeartbeatMessage,
  type HoldOpenMessage,
  type HoldOpenReply,
  type HoldOwner,
  type TaskMoneyPort,
  type TopUpMessage,
  type TopUpReply,
  type WalletOpenMessage,
  type WalletOpenReply,
  type WalletPort,
} from '@mg/contract';
import { AskingClientRedis, NoAnswerError } from './asking-client-redis.js';
import { HoldBatcher } from './hold-batcher.js';
import { createTaskMoney } from './task-money.js';

/** How long one question waits for its answer; it is asked once more under the same id. */
const ANSWER_MS = 800;
const MAX_TRIES = 2;
/** While billing is away, it is looked for again at this pace, until the time for both tries is over. */
const PAUSE_MS = 100;
const TOTAL_MS = 1_800;

export interface BillingClientOptions {
  readonly redisUrl: string;
  /** Told once when the line to Redis breaks, or cannot be made; it is mended by itself. */
  readonly onOutage?: (error: Error) => void;
}

export interface BillingClient extends WalletPort, TaskMoneyPort {
  close(): Promise<void>;
}

/**
 * The door to the billing plane over Nest's Redis transport. Every question may be asked again, so an answer that does
 * not come is asked for once more; after two seconds at most the call fails with `service_unavailable`.
 */
export function createBillingClient(options: BillingClientOptions): BillingClient {
  const line = new AskingClientRedis(options.redisUrl, options.onOutage ?? (() => undefined));
  const started = line.start();
  const ask = <Answer>(pattern: string, message: unknown) => askPatiently<Answer>(line, pattern, message);
  const batcher = new HoldBatcher((message: HoldOpenMessage) =>
    ask<HoldOpenReply>(BILLING_PATTERN.holdOpen, message),
  );
  return {
    ...createTaskMoney(ask),
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
    async ping() {
      await ask(BILLING_PATTERN.ping, {});
    },
    async close() {
      await line.close();
      await started;
    },
  };
}

async function askPatiently<Answer>(
  line: AskingClientRedis,
  pattern: string,
  message: unknown,
): Promise<Answer> {
  const deadline = performance.now() + TOTAL_MS;
  for (let tries = 1; ;) {
    try {
      return (await line.ask(pattern, message, Math.min(ANSWER_MS, deadline - performance.now()))) as Answer;
    } catch (error) {
      const failure = explain(error);
      if (failure.code !== 'service_unavailable') throw failure;
      if (error instanceof NoAnswerError && error.reason === 'timeout') tries++;
      if (tries > MAX_TRIES || performance.now() + PAUSE_MS > deadline) throw failure;
      await sleep(PAUSE_MS);
    }
  }
}

/** Answers of the billing plane carry a code of the error table; anything else is not for callers. */
function explain(error: unknown): GatewayError {
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
