import { REFUSALS } from '@mg/contract';
import type { AlertKind } from '@mg/persistence/console';
import { z } from 'zod';

const enabled = z.boolean().describe('Whether operators are alerted.');

const channelFailing = z.strictObject({
  enabled,
  failed: z
    .int()
    .min(1)
    .max(1_000)
    .describe('Attempts of ten minutes that failed at least, and more than were served.'),
});

const walletBalance = z.strictObject({
  enabled,
  below: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, REFUSALS.no_threshold)
    .describe('USD, with the credit limit; of wallets that keys have spent from.'),
});

const queueAge = z.strictObject({
  enabled,
  seconds: z
    .int()
    .min(5)
    .max(86_400)
    .describe('How long usage may wait to be charged, and a video task for a worker.'),
});

const onOrOff = z.strictObject({ enabled });

/** What is looked at, kind by kind. */
export const alertRulesSchema = z
  .strictObject({
    channel_failing: channelFailing,
    wallet_balance: walletBalance,
    budget: onOrOff.describe('80 and 100 per cent of any budget.'),
    ledger_drift: onOrOff,
    queue_age: queueAge,
  })
  .meta({ id: 'AlertRules' });

export type AlertRules = z.output<typeof alertRulesSchema>;

/** A change of some rules, of each of which some fields. */
export const alertRulesPatchSchema = z
  .strictObject({
    channel_failing: channelFailing.partial(),
    wallet_balance: walletBalance.partial(),
    budget: onOrOff.partial(),
    ledger_drift: onOrOff.partial(),
    queue_age: queueAge.partial(),
  })
  .partial();

type RulesChange = z.output<typeof alertRulesPatchSchema>;

const USUAL: AlertRules = {
  channel_failing: { enabled: true, failed: 5 },
  wallet_balance: { enabled: true, below: '1' },
  budget: { enabled: true },
  ledger_drift: { enabled: true },
  queue_age: { enabled: true, seconds: 60 },
};

/** The rules in force: what is stored, and what is usual for the rest. Rules that this version does not know count as left out. */
export function readRules(stored: Readonly<Record<string, unknown>>): AlertRules {
  const change = alertRulesPatchSchema.safeParse(stored);
  return change.success ? changeRules(USUAL, change.data) : USUAL;
}

export function changeRules(rules: AlertRules, change: RulesChange): AlertRules {
  const merged = Object.fromEntries(
    (Object.keys(USUAL) as AlertKind[]).map((kind) => [kind, { ...rules[kind], ...change[kind] }]),
  );
  return alertRulesSchema.parse(merged);
}
