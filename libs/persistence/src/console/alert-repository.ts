import { newId, omitUndefined, toStorableJson, toStorableText } from '@mg/contract';
import { type EntityManager, IsNull, LessThan, Not, type QueryDeepPartialEntity } from 'typeorm';
import type { AlertCondition } from '../alerts/find-conditions.js';
import {
  AlertEntity,
  type AlertKind,
  type AlertRow,
  AlertSettingEntity,
  type AlertSettingRow,
} from '../entities/alert.js';
import { cutPage, type Page, type PageRequest } from './page.js';

export type AlertEvent = 'fired' | 'changed' | 'resolved';
export type AlertVia = 'webhook' | 'email';

export interface AlertFilter {
  /** Whether it is resolved; both when left out. */
  readonly resolved?: boolean | undefined;
  readonly kind?: AlertKind | undefined;
}

export type AlertSettings = Omit<AlertSettingRow, 'id'>;

/** A message that is due. */
export interface AlertDelivery {
  readonly id: string;
  readonly via: AlertVia;
  readonly message: Readonly<Record<string, unknown>>;
  /** Tries before this one. */
  readonly attempts: number;
}

/** Any number; consoles that look at once are one. */
const EVALUATION_LOCK = 7_204_034;
const THE_ROW = 1;

/** Alerts, what they are about, and their messages. */
export class AlertRepository {
  constructor(private readonly manager: EntityManager) {}

  readSettings(): Promise<AlertSettings> {
    return this.#settings.findOneByOrFail({ id: THE_ROW });
  }

  /** Reads them and keeps others from changing them until the transaction ends. */
  readSettingsLocked(): Promise<AlertSettings> {
    return this.#settings.findOneOrFail({ where: { id: THE_ROW }, lock: { mode: 'pessimistic_write' } });
  }

  async saveSettings(change: Partial<AlertSettings>): Promise<void> {
    if (Object.keys(change).length === 0) return;
    await this.#settings.update({ id: THE_ROW }, change as QueryDeepPartialEntity<AlertSettingRow>);
  }

  /** Newest first. */
  async list({ resolved, kind }: AlertFilter, page: PageRequest): Promise<Page<AlertRow>> {
    const rows = await this.#alerts.find({
      where: omitUndefined({
        kind,
        resolvedAt: resolved === undefined ? undefined : resolved ? Not(IsNull()) : IsNull(),
        id: page.after === undefined ? undefined : LessThan(page.after),
      }),
      order: { id: 'DESC' },
      take: page.limit + 1,
    });
    return cutPage(rows, page.limit, (row) => row.id);
  }

  /** Whether this transaction is the only one that looks for alerts, until it ends. */
  async takeTurn(): Promise<boolean> {
    const [row] = await this.manager.query<{ taken: boolean }[]>(
      'select pg_try_advisory_xact_lock($1) as taken',
      [EVALUATION_LOCK],
    );
    return row?.taken === true;
  }

  listOpen(): Promise<AlertRow[]> {
    return this.#alerts.findBy({ resolvedAt: IsNull() });
  }

  async open({ kind, subject, level, facts }: AlertCondition): Promise<AlertRow> {
    const alert: AlertRow = {
      id: newId(),
      kind,
      subject,
      level,
      facts,
      firedAt: new Date(),
      clearSince: null,
      resolvedAt: null,
    };
    await this.#alerts.insert(alert as QueryDeepPartialEntity<AlertRow>);
    return alert;
  }

  async change(
    id: string,
    change: Partial<Pick<AlertRow, 'level' | 'facts' | 'clearSince' | 'resolvedAt'>>,
  ): Promise<void> {
    await this.#alerts.update({ id }, change as QueryDeepPartialEntity<AlertRow>);
  }

  /** Has a message sent, at least once. */
  async deliver(
    alertId: string,
    event: AlertEvent,
    via: AlertVia,
    message: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.manager.query(
      'insert into alert_delivery (id, alert_id, event, via, message) values ($1, $2, $3, $4, $5)',
      [newId(), alertId, event, via, toStorableJson(message)],
    );
  }

  /** Takes messages that are due, oldest first; others may take them after `leaseSeconds`. */
  async claimDue(options: {
    readonly limit: number;
    readonly leaseSeconds: number;
  }): Promise<AlertDelivery[]> {
    const [rows] = await this.manager.query<[AlertDelivery[], number]>(
      `with due as (
         select d.id from alert_delivery d
          where d.next_attempt_at <= now() and (d.claimed_until is null or d.claimed_until < now())
          order by d.id limit $1 for update skip locked
       )
       update alert_delivery d set claimed_until = now() + make_interval(secs => $2)
         from due where d.id = due.id returning d.id, d.via, d.message, d.attempts`,
      [options.limit, options.leaseSeconds],
    );
    return rows;
  }

  async recordDelivered(id: string): Promise<void> {
    await this.manager.query(
      `update alert_delivery set attempts = attempts + 1, delivered_at = now(), last_error = null,
              next_attempt_at = null, claimed_until = null where id = $1`,
      [id],
    );
  }

  /** @param retrySeconds until the next try; undefined gives the message up. */
  async recordFailed(id: string, error: string, retrySeconds: number | undefined): Promise<void> {
    await this.manager.query(
      `update alert_delivery set attempts = attempts + 1, last_error = $2, claimed_until = null,
              next_attempt_at = now() + make_interval(secs => $3) where id = $1 and delivered_at is null`,
      [id, toStorableText(error), retrySeconds ?? null],
    );
  }

  /** How the messages of alerts went: the latest of each destination, by alert. */
  async listDeliveries(alertIds: readonly string[]): Promise<DeliveryState[]> {
    return this.manager.query<DeliveryState[]>(
      `select distinct on (alert_id, via) alert_id as "alertId", via, event, attempts,
              delivered_at as "deliveredAt", next_attempt_at as "nextAttemptAt", last_error as "lastError"
         from alert_delivery where alert_id = any ($1::uuid[]) order by alert_id, via, id desc`,
      [alertIds],
    );
  }

  /** Deletes alerts that were resolved so many days ago, with their messages; answers how many. */
  async forgetResolved(days: number): Promise<number> {
    const [, count] = await this.manager.query<[unknown[], number]>(
      `delete from alert where id in (select id from alert
        where resolved_at < now() - make_interval(days => $1) order by id limit 1000)`,
      [days],
    );
    return count;
  }

  get #alerts() {
    return this.manager.getRepository(AlertEntity);
  }

  get #settings() {
    return this.manager.getRepository(AlertSettingEntity);
  }
}

/** How a message went. */
export interface DeliveryState {
  readonly alertId: string;
  readonly via: AlertVia;
  readonly event: AlertEvent;
  readonly attempts: number;
  readonly deliveredAt: Date | null;
  /** `null` once it is delivered or given up. */
  readonly nextAttemptAt: Date | null;
  readonly lastError: string | null;
}
