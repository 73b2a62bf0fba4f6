import { EntitySchema } from 'typeorm';

export const ALERT_KINDS = [
  'channel_failing',
  'wallet_balance',
  'budget',
  'ledger_drift',
  'queue_age',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** `near`: 80 per cent of a budget; `reached`: all of it. Everything else is `firing`. */
export const ALERT_LEVELS = ['firing', 'near', 'reached'] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];

/** Something that is or was not as it should be. */
export interface AlertRow {
  id: string;
  kind: AlertKind;
  /** Id of the channel, wallet or budget, or the name of the queue. */
  subject: string;
  level: AlertLevel;
  facts: AlertFacts;
  firedAt: Date;
  /** Since when its condition has not been seen; `null` while it is. */
  clearSince: Date | null;
  resolvedAt: Date | null;
}

/** What was seen when it fired, and how people call its subject. */
export type AlertFacts = Readonly<Record<string, string | number | null>> & { readonly name: string };

export const AlertEntity = new EntitySchema<AlertRow>({
  name: 'alert',
  columns: {
    id: { type: 'uuid', primary: true },
    kind: { type: 'text' },
    subject: { type: 'text' },
    level: { type: 'text' },
    facts: { type: 'jsonb' },
    firedAt: { name: 'fired_at', type: 'timestamptz' },
    clearSince: { name: 'clear_since', type: 'timestamptz', nullable: true },
    resolvedAt: { name: 'resolved_at', type: 'timestamptz', nullable: true },
  },
});

/** What operators are alerted of, and where to: one row. */
export interface AlertSettingRow {
  id: number;
  /** By kind, as the Console's API takes them; what is absent is as usual. */
  rules: Readonly<Record<string, unknown>>;
  /** Sealed, since an address may hold a secret. */
  webhookSealed: string | null;
  webhookHint: string | null;
  smtpSealed: string | null;
  smtpHint: string | null;
  emailFrom: string | null;
  emailTo: string[];
}

export const AlertSettingEntity = new EntitySchema<AlertSettingRow>({
  name: 'alert_setting',
  columns: {
    id: { type: 'smallint', primary: true },
    rules: { type: 'jsonb' },
    webhookSealed: { name: 'webhook_sealed', type: 'text', nullable: true },
    webhookHint: { name: 'webhook_hint', type: 'text', nullable: true },
    smtpSealed: { name: 'smtp_sealed', type: 'text', nullable: true },
    smtpHint: { name: 'smtp_hint', type: 'text', nullable: true },
    emailFrom: { name: 'email_from', type: 'text', nullable: true },
    emailTo: { name: 'email_to', type: 'text', array: true },
  },
});
