import type { AlertSettings } from '../../api/console-api.js';
import type { BodyOf } from '../../api/routes.js';

export const ALERT_KINDS = [
  'channel_failing',
  'wallet_balance',
  'budget',
  'ledger_drift',
  'queue_age',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Rules that have a figure, with its name in the API. */
export const THRESHOLDS = {
  channel_failing: 'failed',
  wallet_balance: 'below',
  queue_age: 'seconds',
} as const;
export type ThresholdKind = keyof typeof THRESHOLDS;

/** What operators are alerted of, and where to, as it is written in a form. */
export interface AlertDraft {
  readonly enabled: Readonly<Record<AlertKind, boolean>>;
  readonly thresholds: Readonly<Record<ThresholdKind, string>>;
  /** Empty keeps the address that is set. */
  readonly webhookUrl: string;
  readonly smtpUrl: string;
  /** Whether an address that was set in the Console is taken away. */
  readonly dropsWebhook: boolean;
  readonly dropsEmail: boolean;
  readonly emailFrom: string;
  readonly emailTo: string;
}

export function toAlertDraft({ rules, email_from: from, email_to: to }: AlertSettings): AlertDraft {
  return {
    enabled: Object.fromEntries(
      ALERT_KINDS.map((kind) => [kind, rules[kind].enabled]),
    ) as AlertDraft['enabled'],
    thresholds: {
      channel_failing: String(rules.channel_failing.failed),
      wallet_balance: rules.wallet_balance.below,
      queue_age: String(rules.queue_age.seconds),
    },
    webhookUrl: '',
    smtpUrl: '',
    dropsWebhook: false,
    dropsEmail: false,
    emailFrom: from ?? '',
    emailTo: to.join(', '),
  };
}

/** What is no number is sent as NaN, which JSON has as null: the Console API says what is wrong with it. */
export function toAlertBody(draft: AlertDraft): BodyOf<'/api/v1/alerts/settings', 'patch'> {
  const { enabled, thresholds } = draft;
  const from = draft.emailFrom.trim();
  return {
    rules: {
      channel_failing: { enabled: enabled.channel_failing, failed: readCount(thresholds.channel_failing) },
      wallet_balance: { enabled: enabled.wallet_balance, below: thresholds.wallet_balance.trim() },
      budget: { enabled: enabled.budget },
      ledger_drift: { enabled: enabled.ledger_drift },
      queue_age: { enabled: enabled.queue_age, seconds: readCount(thresholds.queue_age) },
    },
    webhook_url: readAddress(draft.webhookUrl, draft.dropsWebhook),
    smtp_url: readAddress(draft.smtpUrl, draft.dropsEmail),
    email_from: from === '' ? null : from,
    email_to: draft.emailTo.split(/[\s,;]+/).filter((address) => address !== ''),
  };
}

function readCount(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

/** `undefined` leaves the address as it is, `null` takes it away. */
function readAddress(text: string, drops: boolean): string | null | undefined {
  if (text.trim() !== '') return text.trim();
  return drops ? null : undefined;
}
