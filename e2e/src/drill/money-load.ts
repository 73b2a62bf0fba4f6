import { setTimeout as sleep } from 'node:timers/promises';
import { formatUsd } from '@mg/contract';
import { ConsoleClient, type WalletRow } from '../clients/console-client.js';
import { ADMIN } from '../deployment/credentials.js';
import { askChat, type Attempt } from './call-chat.js';
import { CALLERS } from './money-configuration.js';
import type { MoneyFleet } from './money-fleet.js';
import { orderVideo, type VideoAnswer } from './order-video.js';
import type { OrderQueue } from './order-queue.js';
import type { ChatOrder, TopUpOrder } from './plan-orders.js';

/** A top-up that was sent until it was answered so often. */
export interface TopUpAnswer {
  readonly order: TopUpOrder;
  readonly walletId: string;
  readonly key: string;
  /** 409 where a withdrawal is more than the wallet has. */
  readonly statuses: readonly number[];
}

const AGAIN_MS = 250;
const GIVE_UP_AFTER_MS = 240_000;
const UNAUTHORIZED = 401;
const CONFLICT = 409;
const FAILURE = 500;

/** Callers and operators who work through the orders, each one after the other. */
export class MoneyLoad {
  readonly attempts: Attempt[] = [];
  readonly videos: VideoAnswer[] = [];
  readonly topUps: TopUpAnswer[] = [];
  /** Orders that had no answer in all that time. */
  readonly givenUp: ChatOrder[] = [];
  #console: ConsoleClient;
  readonly #videoOrders: Promise<void>[] = [];

  private constructor(
    private readonly fleet: MoneyFleet,
    private readonly queue: OrderQueue,
    console: ConsoleClient,
    private readonly wallets: readonly WalletRow[],
  ) {
    this.#console = console;
  }

  static async prepare(fleet: MoneyFleet, queue: OrderQueue): Promise<MoneyLoad> {
    const console = await ConsoleClient.asAdmin(fleet);
    return new MoneyLoad(fleet, queue, console, await console.list<WalletRow>('/wallets'));
  }

  /** Works until every order has its answer. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: CALLERS }, () => this.#work()));
    await Promise.all(this.#videoOrders);
  }

  async #work(): Promise<void> {
    for (let order = await this.queue.take(); order; order = await this.queue.take()) {
      if (order.kind === 'chat') await this.#call(order);
      if (order.kind === 'top-up') await this.#topUp(order);
      // Whoever orders a video waits for a worker, which should keep nobody else.
      if (order.kind === 'video') this.#videoOrders.push(this.#orderVideo(order));
    }
  }

  async #call(order: ChatOrder): Promise<void> {
    const deadline = performance.now() + GIVE_UP_AFTER_MS;
    for (let tries = 0; ; tries++) {
      const { gatewayUrls } = this.fleet;
      const gatewayUrl = gatewayUrls[(order.gateway + tries) % gatewayUrls.length] ?? '';
      const attempt = await askChat(gatewayUrl, order);
      this.attempts.push(attempt);
      if (attempt.ending === 'answered' || attempt.reason === 'insufficient_balance') return;
      if (attempt.ending !== 'refused' || attempt.reason !== 'error event') await sleep(AGAIN_MS);
      if (!order.patient) return;
      if (performance.now() > deadline) {
        this.givenUp.push(order);
        return;
      }
    }
  }

  async #orderVideo({ index, model }: { readonly index: number; readonly model: string }): Promise<void> {
    this.videos.push(await orderVideo(this.fleet.gatewayUrls, { index, model }));
  }

  /** Sends it under its key until it was answered as often as the order says. */
  async #topUp(order: TopUpOrder): Promise<void> {
    const walletId = this.wallets.find(({ name }) => name === order.wallet)?.id ?? '';
    const key = `top-up-${order.index}`;
    const statuses: number[] = [];
    const body = { amount: formatUsd(order.amount), note: 'drill', idempotency_key: key };
    while (statuses.length < order.times) {
      const status = await this.#post(`/wallets/${walletId}/topups`, body);
      if (status < UNAUTHORIZED || status === CONFLICT) statuses.push(status);
      else await sleep(AGAIN_MS);
    }
    this.topUps.push({ order, walletId, key, statuses });
  }

  /** @returns the status; that of a failure where there was no answer. */
  async #post(path: string, body: object): Promise<number> {
    try {
      const { status } = await this.#console.call('POST', path, body);
      if (status === UNAUTHORIZED) this.#console = await ConsoleClient.login(this.fleet, ADMIN);
      return status;
    } catch {
      return FAILURE;
    }
  }
}
