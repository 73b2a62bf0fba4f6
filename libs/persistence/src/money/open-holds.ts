import type { HoldRequest } from '@mg/contract';
import type { DataSource } from 'typeorm';
import { type HoldDecision, type HoldRow, toDecision, toHoldColumns } from './hold-decision.js';
import { LockedWallets } from './locked-wallets.js';
import { retryConflicts } from './retry-conflicts.js';
import { WalletTurns } from './wallet-turns.js';

/** How many wallets a batch asks for at once, each by itself. */
const WALLETS_AT_ONCE = 3;
/**
 * How many waits of a batch for wallets may end without the lock, each after 400 ms. They are counted, and not their time: where
 * Postgres or this process is slow, time passes that no locked wallet took, and that is no reason to refuse the others.
 */
const WAITS_IN_VAIN = 3;
/** How long a batch may wait all in all, for turns at wallets and for their locks: whoever asked waits for three seconds. */
const WAIT_FOR_WALLETS_MS = 1_500;

type HoldColumns = ReturnType<typeof toHoldColumns> & { readonly place: number };

/** The answer where there was no time to ask: nothing is held. */
function toBusy({ place }: HoldColumns): HoldRow {
  return { place, granted: null, refused: 'busy', available: null, failure: null };
}

/** Opens holds in batches: one transaction decides on many. */
export class HoldOpener {
  readonly #locked = new LockedWallets();
  readonly #turns = new WalletTurns();

  constructor(private readonly database: DataSource) {}

  /**
   * Sets money aside for calls; one decision for each, in order. Wallets that somebody has locked are waited for apart from
   * the others, for a moment: what cannot be decided then is `busy`.
   */
  async open(requests: readonly HoldRequest[]): Promise<HoldDecision[]> {
    const columns = requests.map((request, place) => ({ place, ...toHoldColumns(request) }));
    const isOneWallet = new Set(requests.map((request) => request.walletId)).size === 1;
    const rows = isOneWallet ? await this.#decideByWallet(columns) : await this.#decide(columns, false);
    const busy = new Set(rows.flatMap((row) => (row.refused === 'busy' ? [row.place] : [])));
    if (busy.size > 0 && !isOneWallet) {
      rows.push(...(await this.#decideByWallet(columns.filter(({ place }) => busy.has(place)))));
    }
    const decisions: HoldDecision[] = [];
    for (const row of rows) {
      const request = requests[row.place];
      if (request) decisions[row.place] = toDecision(row, request);
    }
    return decisions;
  }

  /** Each locked wallet by itself: while it is waited for, no other one is held. */
  async #decideByWallet(columns: readonly HoldColumns[]): Promise<HoldRow[]> {
    const deadline = performance.now() + WAIT_FOR_WALLETS_MS;
    const groups = [...Map.groupBy(columns, (one) => one.wallet_id)];
    const answers: HoldRow[] = [];
    let waitsInVain = 0;
    const decideOne = async (walletId: string, ofWallet: readonly HoldColumns[]) => {
      const mayWait =
        waitsInVain < WAITS_IN_VAIN && performance.now() < deadline && !this.#locked.has(walletId);
      const rows = await this.#decide(ofWallet, mayWait);
      if (mayWait && rows.some((row) => row.refused === 'busy')) {
        waitsInVain++;
        this.#locked.note(walletId);
      }
      return rows;
    };
    const decideNext = async () => {
      for (let group = groups.pop(); group; group = groups.pop()) {
        const [walletId, ofWallet] = group;
        const rows = await this.#turns.run(walletId, () => decideOne(walletId, ofWallet), deadline);
        answers.push(...(rows ?? ofWallet.map(toBusy)));
      }
    };
    await Promise.all(Array.from({ length: WALLETS_AT_ONCE }, decideNext));
    return answers;
  }

  #decide(columns: readonly HoldColumns[], wait: boolean): Promise<HoldRow[]> {
    return retryConflicts(() =>
      this.database.query<HoldRow[]>('select * from hold_open_batch($1::jsonb, $2)', [
        JSON.stringify(columns),
        wait,
      ]),
    );
  }
}
