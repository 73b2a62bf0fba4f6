import type { AlertDelivery, AlertVia, ConsoleStore } from '@mg/persistence/console';
import { Counter, errorMessage, type Logger, type Registry, repeatEvery, type Repetition } from '@mg/runtime';
import type { Destinations } from './alert-destinations.js';
import type { AlertSender } from './alert-sender.js';

const EVERY_MS = 2_000;
/** After a look that found nothing. Of what is written down in this process it is told. */
const QUIET_EVERY_MS = 5_000;
const AT_ONCE = 4;
/** Longer than so many tries may take, one after another. */
const LEASE_SECONDS = 300;
/** Pauses before the second to the eighth try; after the eighth a message is given up. */
const PAUSES_SECONDS: readonly number[] = [5, 30, 2 * 60, 10 * 60, 30 * 60, 2 * 60 * 60, 6 * 60 * 60];

type Outcome = 'delivered' | 'failed' | 'given_up';

/** Sends what the watch has written down. A try of a process that dies is made again by another. */
export class AlertDispatcher {
  readonly #sent: Counter<'via' | 'outcome'>;
  #repetition: Repetition | undefined;
  #isQuiet = false;

  constructor(
    private readonly store: ConsoleStore,
    private readonly sender: AlertSender,
    private readonly logger: Logger,
    metrics: Registry,
  ) {
    this.#sent = new Counter({
      name: 'console_alert_deliveries_total',
      help: 'Attempts to send an alert, by destination and outcome.',
      labelNames: ['via', 'outcome'],
      registers: [metrics],
    });
  }

  start(): void {
    this.#repetition = repeatEvery(
      () => (this.#isQuiet ? QUIET_EVERY_MS : EVERY_MS),
      () => this.sendDue(),
      (error) => this.logger.warn({ reason: errorMessage(error) }, 'alerts cannot be sent at the moment'),
    );
  }

  /** There is something to send. */
  wake(): void {
    this.#repetition?.wake();
  }

  async close(): Promise<void> {
    await this.#repetition?.close();
  }

  /** Sends what is due, by each way one after another, so that a receiver hears things in their order. */
  async sendDue(): Promise<void> {
    const due = await this.store.alerts.claimDue({ limit: AT_ONCE, leaseSeconds: LEASE_SECONDS });
    this.#isQuiet = due.length === 0;
    if (this.#isQuiet) return;
    const destinations = await this.sender.open();
    const byVia = Map.groupBy(due, ({ via }) => via);
    await Promise.all([...byVia.values()].map((messages) => this.#sendInTurn(messages, destinations)));
  }

  async #sendInTurn(messages: readonly AlertDelivery[], destinations: Destinations): Promise<void> {
    for (const message of messages) await this.#send(message, destinations);
  }

  async #send(delivery: AlertDelivery, destinations: Destinations): Promise<void> {
    try {
      await this.sender.send(delivery, destinations);
      this.#count(delivery.via, 'delivered');
      await this.store.alerts.recordDelivered(delivery.id);
    } catch (error) {
      const retrySeconds = PAUSES_SECONDS[delivery.attempts];
      this.#count(delivery.via, retrySeconds === undefined ? 'given_up' : 'failed');
      this.logger.warn({ via: delivery.via, reason: errorMessage(error) }, 'an alert could not be sent');
      await this.store.alerts.recordFailed(delivery.id, errorMessage(error), retrySeconds);
    }
  }

  #count(via: AlertVia, outcome: Outcome): void {
    this.#sent.inc({ via, outcome });
  }
}
