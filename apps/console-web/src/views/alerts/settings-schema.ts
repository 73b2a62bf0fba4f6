import * as z from 'zod/mini';
import type { AlertSettings } from '../../api/console-api.js';
import {
  email,
  emails,
  mailServer,
  orNothing,
  threshold,
  unshown,
  webhookAddress,
  wholeNumber,
} from '../../forms/texts.js';

export const ALERT_KINDS = [
  'channel_failing',
  'wallet_balance',
  'budget',
  'ledger_drift',
  'queue_age',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Names of the fields with the figure of a rule. */
export const THRESHOLDS = {
  channel_failing: 'rules.channel_failing.failed',
  wallet_balance: 'rules.wallet_balance.below',
  queue_age: 'rules.queue_age.seconds',
} as const;

const MOST_FAILED = 1_000;
const SHORTEST_SECONDS = 5;
const DAY_SECONDS = 86_400;

const enabled = z.boolean();
const onOrOff = z.object({ enabled });

/** A rule with a figure, which stays as it is while the rule is off: its field is not shown then. */
function rule<Name extends string, Sent>(name: Name, figure: z.ZodMiniType<Sent, string>, isOn: boolean) {
  const schema: z.ZodMiniType<Sent | undefined, string> = isOn ? figure : unshown;
  return z.object({ enabled, [name]: schema } as { enabled: typeof enabled } & Record<Name, typeof schema>);
}

/** What operators are alerted of, and where to, as it is written in a form. @param texts what is written, which decides what is asked for. */
export function alertSchema({ rules }: Pick<AlertTexts, 'rules'>) {
  const fields = z.object({
    rules: z.object({
      channel_failing: rule('failed', wholeNumber(1, MOST_FAILED), rules.channel_failing.enabled),
      wallet_balance: rule('below', threshold, rules.wallet_balance.enabled),
      budget: onOrOff,
      ledger_drift: onOrOff,
      queue_age: rule('seconds', wholeNumber(SHORTEST_SECONDS, DAY_SECONDS), rules.queue_age.enabled),
    }),
    // Nobody is shown the addresses: an empty text leaves one as it is.
    webhook_url: orNothing(webhookAddress, undefined),
    smtp_url: orNothing(mailServer, undefined),
    drops_webhook: z.boolean(),
    drops_email: z.boolean(),
    email_from: orNothing(email, null),
    email_to: emails([]),
  });
  return z.pipe(
    fields,
    z.transform(({ drops_webhook: dropsWebhook, drops_email: dropsEmail, ...rest }) => ({
      ...rest,
      webhook_url: rest.webhook_url ?? (dropsWebhook ? null : undefined),
      smtp_url: rest.smtp_url ?? (dropsEmail ? null : undefined),
    })),
  );
}

/** Texts of the form. */
export interface AlertTexts {
  rules: {
    channel_failing: { enabled: boolean; failed: string };
    wallet_balance: { enabled: boolean; below: string };
    budget: { enabled: boolean };
    ledger_drift: { enabled: boolean };
    queue_age: { enabled: boolean; seconds: string };
  };
  webhook_url: string;
  smtp_url: string;
  /** Whether an address that was set in the Console is taken away, unless another is written. */
  drops_webhook: boolean;
  drops_email: boolean;
  email_from: string;
  email_to: string;
}

export function toAlertTexts({ rules, email_from: from, email_to: to }: AlertSettings): AlertTexts {
  const { channel_failing: failing, queue_age: age } = rules;
  return {
    rules: {
      channel_failing: { ...failing, failed: String(failing.failed) },
      wallet_balance: { ...rules.wallet_balance },
      budget: { ...rules.budget },
      ledger_drift: { ...rules.ledger_drift },
      queue_age: { ...age, seconds: String(age.seconds) },
    },
    webhook_url: '',
    smtp_url: '',
    drops_webhook: false,
    drops_email: false,
    email_from: from ?? '',
    email_to: to.join('\n'),
  };
}
