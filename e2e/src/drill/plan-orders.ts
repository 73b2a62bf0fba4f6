import { createRandom } from '../create-random.js';
import { DRILL_MODELS } from './drill-videos.js';
import { CALLERS, CHAT_MODELS, type ChatModel, WALLETS } from './money-configuration.js';

/** A call for a chat. */
export interface ChatOrder {
  readonly kind: 'chat';
  readonly index: number;
  readonly model: ChatModel;
  readonly stream: boolean;
  /** Words of the prompt beside its mark. */
  readonly words: number;
  readonly maxTokens: number;
  /** Whose key it is asked with. */
  readonly caller: number;
  /** Whether it is asked again under its Idempotency-Key until it is answered. */
  readonly patient: boolean;
  /** The gateway that is asked first. */
  readonly gateway: number;
}

/** A top-up, sent more than once under its key. */
export interface TopUpOrder {
  readonly kind: 'top-up';
  readonly index: number;
  readonly wallet: string;
  /** In nano-dollars; below zero money is taken out. */
  readonly amount: bigint;
  readonly times: number;
}

export interface VideoOrder {
  readonly kind: 'video';
  readonly index: number;
  readonly model: string;
}

export type Order = ChatOrder | TopUpOrder | VideoOrder;

const VIDEO_SHARE = 0.05;
const TOP_UP_SHARE = 0.03;
const PATIENT_SHARE = 0.6;
const STREAM_SHARE = 0.5;
const MOST_WORDS = 40;
const MOST_TOKENS = 30;
const MOST_TOP_UP = 5_000_000;
const WITHDRAWAL_SHARE = 0.2;
const MOST_TIMES = 3;

/** @returns what callers and operators ask for, call by call, and videos and top-ups in between; the same for the same seed. */
export function planOrders(calls: number, seed: number): Order[] {
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const draw = <Item>(items: readonly Item[]) => items[below(items.length)] as Item;
  const orders: Order[] = [];
  // Each behaviour of a video once, then as it comes.
  const videos = Object.keys(DRILL_MODELS);
  for (let call = 0; call < calls; call++) {
    const model = draw(CHAT_MODELS);
    orders.push({
      kind: 'chat',
      index: orders.length,
      model,
      stream: model === 'paced' || model === 'breaks-off' || (model !== 'fails' && random() < STREAM_SHARE),
      words: below(MOST_WORDS),
      maxTokens: 1 + below(MOST_TOKENS),
      caller: below(CALLERS),
      patient: model !== 'fails' && model !== 'breaks-off' && random() < PATIENT_SHARE,
      gateway: below(2),
    });
    if (random() < VIDEO_SHARE) {
      const model = videos.shift() ?? draw(Object.keys(DRILL_MODELS));
      orders.push({ kind: 'video', index: orders.length, model });
    }
    if (random() < TOP_UP_SHARE) {
      const amount = BigInt(1 + below(MOST_TOP_UP));
      orders.push({
        kind: 'top-up',
        index: orders.length,
        wallet: draw(WALLETS).name,
        amount: random() < WITHDRAWAL_SHARE ? -amount : amount,
        times: 2 + below(MOST_TIMES - 1),
      });
    }
  }
  return orders;
}
