import { parseUsd } from '@mg/contract';
import type {
  AlertCondition,
  AlertEvent,
  AlertKind,
  AlertRow,
  AlertSettings,
  AlertVia,
  ConsoleStore,
  FoundConditions,
} from '@mg/persistence/console';
import { errorMessage, type Logger, repeatEvery, type Repetition } from '@mg/runtime';
import type { AlertDestinations } from './alert-destinations.js';
import { type AlertRules, readRules } from './alert-rules.js';
import { describeAlert, writeAlert } from './describe-alert.js';

const EVERY_MS = 15_000;
/** A condition that comes and goes is one alert: it has to be gone for so long. */
const CLEAR_FOR_MS = 2 * 60_000;
const FORGET_EVERY_MS = 60 * 60_000;
const KEPT_DAYS = 90;

const NOTHING: FoundConditions = { conditions: [], unknown: [] };

/** What the watch needs besides the database. */
export interface AlertWatchOptions {
  readonly store: ConsoleStore;
  readonly destinations: AlertDestinations;
  readonly logger: Logger;
  /** Called once there are messages to send. */
  readonly onMessages?: () => void;
  /** Two minutes unless said otherwise. */
  readonly clearForMs?: number;
}

/**
 * Looks for conditions that operators want alerts for, and sends each once: when it begins, when it gets worse and when it is over.
 * All of it is in Postgres, which lets one console look at a time, so that neither a restart nor a second console repeats
 * anything. Sending is another's work.
 */
export class AlertWatch {
  #repetition: Repetition | undefined;
  #forgotAt = 0;

  constructor(private readonly options: AlertWatchOptions) {}

  start(): void {
    this.#repetition = repeatEvery(
      EVERY_MS,
      async () => {
        await this.look();
        await this.#forget();
      },
      (error) =>
        this.options.logger.warn(
          { reason: errorMessage(error) },
          'alert conditions cannot be checked at the moment',
        ),
    );
  }

  async close(): Promise<void> {
    await this.#repetition?.close();
  }

  /** One round. A console that finds another one at it does nothing. */
  async look(): Promise<void> {
    const messages = await this.options.store.transaction(async (store) => {
      if (!(await store.alerts.takeTurn())) return 0;
      const settings = await store.alerts.readSettings();
      const found = await findAll(store, readRules(settings.rules));
      return this.#notify(store, found, this.#listVias(settings));
    });
    if (messages > 0) this.options.onMessages?.();
  }

  #listVias(settings: AlertSettings): readonly AlertVia[] {
    const { webhook, email } = this.options.destinations.show(settings);
    return [...(webhook ? (['webhook'] as const) : []), ...(email ? (['email'] as const) : [])];
  }

  /** @returns how many messages are to be sent. */
  async #notify(
    store: ConsoleStore,
    found: ReadonlyMap<AlertKind, FoundConditions>,
    vias: readonly AlertVia[],
  ): Promise<number> {
    let messages = 0;
    const notify = async (alert: AlertRow, event: AlertEvent) => {
      this.options.logger.warn(
        { alert: alert.id, kind: alert.kind, subject: alert.subject, event },
        describeAlert(alert),
      );
      const message = writeAlert(alert, event);
      for (const via of vias) await store.alerts.deliver(alert.id, event, via, { ...message });
      messages += vias.length;
    };
    const open = new Map((await store.alerts.listOpen()).map((alert) => [toKey(alert), alert]));
    for (const [kind, { conditions, unknown }] of found) {
      for (const condition of conditions) {
        const alert = open.get(toKey(condition));
        open.delete(toKey(condition));
        if (!alert) await notify(await store.alerts.open(condition), 'fired');
        else await keepOpen(store, alert, condition, notify);
      }
      for (const subject of unknown) open.delete(toKey({ kind, subject }));
    }
    for (const alert of open.values()) await this.#clear(store, alert, notify);
    return messages;
  }

  /** What is gone is over once it has been gone for a while. */
  async #clear(
    store: ConsoleStore,
    alert: AlertRow,
    notify: (alert: AlertRow, event: AlertEvent) => Promise<void>,
  ): Promise<void> {
    const now = new Date();
    const clearForMs = this.options.clearForMs ?? CLEAR_FOR_MS;
    const clearSince = alert.clearSince ?? now;
    if (now.getTime() - clearSince.getTime() < clearForMs) {
      if (alert.clearSince === null) await store.alerts.change(alert.id, { clearSince });
      return;
    }
    await store.alerts.change(alert.id, { clearSince, resolvedAt: now });
    await notify({ ...alert, resolvedAt: now }, 'resolved');
  }

  async #forget(): Promise<void> {
    if (performance.now() - this.#forgotAt < FORGET_EVERY_MS && this.#forgotAt > 0) return;
    this.#forgotAt = performance.now();
    await this.options.store.alerts.forgetResolved(KEPT_DAYS);
  }
}

/** A budget that is reached was near before: that is sent. One that is raised again is sent when it is over. */
async function keepOpen(
  store: ConsoleStore,
  alert: AlertRow,
  { level, facts }: AlertCondition,
  notify: (alert: AlertRow, event: AlertEvent) => Promise<void>,
): Promise<void> {
  const isChanged = level !== alert.level;
  if (!isChanged && alert.clearSince === null) return;
  const now = { ...alert, level, facts, clearSince: null };
  await store.alerts.change(alert.id, { level, facts, clearSince: null });
  if (isChanged && level === 'reached') await notify(now, 'changed');
}

async function findAll(
  { conditions }: ConsoleStore,
  rules: AlertRules,
): Promise<Map<AlertKind, FoundConditions>> {
  const { channel_failing: channels, wallet_balance: wallets, queue_age: queues } = rules;
  const asked: [AlertKind, boolean, () => Promise<FoundConditions>][] = [
    ['channel_failing', channels.enabled, () => conditions.failingChannels(channels.failed)],
    ['wallet_balance', wallets.enabled, () => conditions.emptyWallets(parseUsd(wallets.below))],
    ['budget', rules.budget.enabled, () => conditions.reachedBudgets()],
    ['ledger_drift', rules.ledger_drift.enabled, () => conditions.ledgerDrift()],
    ['queue_age', queues.enabled, () => conditions.oldQueues(queues.seconds)],
  ];
  const found = new Map<AlertKind, FoundConditions>();
  for (const [kind, enabled, find] of asked) found.set(kind, enabled ? await find() : NOTHING);
  return found;
}

function toKey({ kind, subject }: Pick<AlertRow, 'kind' | 'subject'>): string {
  return `${kind} ${subject}`;
}
