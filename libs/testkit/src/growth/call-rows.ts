import type { Payer } from '../money/seed-payer.js';
import { NULL } from './copy-rows.js';
import type { MadeCall } from './make-calls.js';

/** How a table's rows are made from calls: its columns, and the rows of one call. */
export interface CallRows {
  readonly columns: string;
  make(call: MadeCall): readonly string[];
}

const USAGE = '{"input_tokens": 100, "output_tokens": 10}';

export const HOLD_ROWS: CallRows = {
  columns:
    'id, kind, wallet_id, token_id, model_slug, price_version_id, amount, state, charged, usage, owner_instance, owner_epoch, created_at, expires_at, resolved_at',
  make: ({ id, at, payer, model, charge, isFailed, isVideo }) => [
    `${id}\t${isVideo ? 'video' : 'request'}\t${payer.walletId}\t${payer.tokenId}\t${model}\t${payer.priceVersionId}\t2000\t${
      isFailed ? `voided\t${NULL}\t${NULL}` : `posted\t${charge}\t${USAGE}`
    }\tgateway-1\tepoch-1\t${at}\t${at}\t${at}`,
  ],
};

export const TASK_ROWS: CallRows = {
  columns:
    'id, public_id, face, user_id, token_id, wallet_id, model_slug, seconds, amount, charged, price_version_id, state, channel_name, created_at, submitted_at, finished_at, deadline_at',
  make: ({ id, at, payer, model, channel, charge }) => [
    `${id}\tseeded-${id}\tgeneric\t${payer.userId}\t${payer.tokenId}\t${payer.walletId}\t${model}\t5\t2000\t${charge}\t${
      payer.priceVersionId
    }\tsucceeded\t${channel}\t${at}\t${at}\t${at}\t${at}`,
  ],
};

export const LOG_ROWS: CallRows = {
  columns:
    'request_id, created_at, user_id, token_id, token_name, wallet_id, model, endpoint, channel, status, error_code, stream, latency_ms, ttft_ms, usage, cost, estimated, reason, attempts, price_version_id',
  make: ({ id, at, payer, model, channel, charge, isFailed, isStream, latencyMs, ttftMs }) => [
    `${id}\t${at}\t${payer.userId}\t${payer.tokenId}\tseeded\t${payer.walletId}\t${model}\t/v1/chat/completions\t${channel}\t${
      isFailed ? '429\trate_limited' : `200\t${NULL}`
    }\t${isStream ? 't' : 'f'}\t${latencyMs}\t${ttftMs}\t${USAGE}\t${charge}\tf\t${
      isFailed ? 'upstream_failed' : 'completed'
    }\t[]\t${payer.priceVersionId}`,
  ],
};

export const JOURNAL_ROWS: CallRows = {
  columns: 'request_id, seq, phase, usage, created_at, posted_at, wallet_id, token_id, price_version_id',
  make: ({ id, at, payer, isFailed }) =>
    isFailed
      ? []
      : [
          `${id}\t0\tusage\t${USAGE}\t${at}\t${at}\t${payer.walletId}\t${payer.tokenId}\t${payer.priceVersionId}`,
        ],
};

/** The ledger: what payers started with, then both legs of each charge with the balance after it. */
export class LedgerRows implements CallRows {
  readonly columns =
    'tx_id, account, wallet_id, token_id, task_id, amount, balance_after, request_id, kind, created_at';
  readonly #balances = new Map<string, bigint>();

  constructor(
    private readonly payers: readonly Payer[],
    private readonly opening: bigint,
  ) {
    for (const { walletId } of payers) this.#balances.set(walletId, opening);
  }

  makeOpenings(at: string): readonly string[] {
    return this.payers.flatMap(({ walletId }) => [
      `${walletId}\twallet:${walletId}\t${walletId}\t${NULL}\t${NULL}\t${this.opening}\t${this.opening}\topening:${walletId}\ttopup\t${at}`,
      `${walletId}\tsystem:funding\t${NULL}\t${NULL}\t${NULL}\t${-this.opening}\t${NULL}\topening:${walletId}\ttopup\t${at}`,
    ]);
  }

  make({ id, at, payer: { walletId, tokenId }, charge, isVideo }: MadeCall): readonly string[] {
    if (charge === 0n) return [];
    const balance = (this.#balances.get(walletId) ?? 0n) - charge;
    this.#balances.set(walletId, balance);
    return [
      `${id}\tsystem:revenue\t${NULL}\t${NULL}\t${isVideo ? id : NULL}\t${charge}\t${NULL}\t${id}\tcharge\t${at}`,
      `${id}\twallet:${walletId}\t${walletId}\t${tokenId}\t${isVideo ? id : NULL}\t${-charge}\t${balance}\t${id}\tcharge\t${at}`,
    ];
  }

  /** What is left of each wallet after the calls so far, in nano-dollars. */
  get balances(): ReadonlyMap<string, bigint> {
    return this.#balances;
  }
}
