import { REFUSALS } from '@mg/contract';
import { ALERT_KINDS, ALERT_LEVELS } from '@mg/persistence/console';
import { z } from 'zod';
import { pageQueryShape } from '../http/page-query.js';
import { phrasesSchema } from '../http/phrase-schema.js';
import { alertRulesPatchSchema, alertRulesSchema } from './alert-rules.js';

const MOST_RECIPIENTS = 20;

export const alertQuerySchema = z.strictObject({
  ...pageQueryShape,
  state: z.enum(['open', 'resolved']).optional().describe('Both when left out.'),
  kind: z.enum(ALERT_KINDS).optional(),
});

export type AlertQuery = z.output<typeof alertQuerySchema>;

const VIAS = ['webhook', 'email'] as const;

export const alertSchema = z
  .object({
    id: z.uuid(),
    kind: z.enum(ALERT_KINDS),
    subject: z.string().describe('Id of the channel or wallet, `<id>/<period>` of a budget, or a queue.'),
    level: z.enum(ALERT_LEVELS).describe('near: 80 % of a budget; reached: all of it; else firing.'),
    text: z.string().describe('What was sent, in English.'),
    facts: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .describe('What was seen; amounts in USD.'),
    reason_phrases: phrasesSchema.describe('What `facts.reason` says, phrase by phrase; empty without one.'),
    fired_at: z.iso.datetime(),
    resolved_at: z.iso.datetime().nullable(),
    deliveries: z
      .array(
        z.object({
          via: z.enum(VIAS),
          event: z.enum(['fired', 'changed', 'resolved']),
          state: z.enum(['waiting', 'delivered', 'given_up']),
          attempts: z.int(),
          error: z.string().nullable().describe('Of the last try, where it failed.'),
          error_phrases: phrasesSchema.describe('The error, phrase by phrase.'),
        }),
      )
      .describe('The latest message of each way; none where nothing was set.'),
  })
  .meta({ id: 'Alert' });

const addressSchema = z
  .object({
    source: z.enum(['console', 'environment']).describe('environment: ALERT_WEBHOOK_URL or SMTP_URL.'),
    address: z.string().describe('Scheme, host and port; the rest may be secret and is never shown.'),
  })
  .nullable();

export const alertSettingsSchema = z
  .object({
    rules: alertRulesSchema,
    webhook: addressSchema,
    email: addressSchema,
    email_from: z.string().nullable().describe('null: the user of the mail server.'),
    email_to: z.array(z.string()).describe('Empty: every administrator.'),
  })
  .meta({ id: 'AlertSettings' });

function urlSchema(protocol: RegExp, error: string) {
  return z.url({ protocol, error }).max(2_048, error).nullable();
}

export const alertSettingsPatchSchema = z
  .strictObject({
    rules: alertRulesPatchSchema.describe('Rules and fields that are left out stay as they are.'),
    webhook_url: urlSchema(/^https?$/, REFUSALS.no_webhook_address).describe(
      'Where messages are posted; null for that of the environment. Write-only.',
    ),
    smtp_url: urlSchema(/^smtps?$/, REFUSALS.no_mail_server).describe(
      'The mail server with its user and password; null for that of the environment. Write-only.',
    ),
    email_from: z.email(REFUSALS.no_email).nullable(),
    email_to: z.array(z.email(REFUSALS.no_email)).max(MOST_RECIPIENTS),
  })
  .partial();

export type AlertSettingsPatch = z.output<typeof alertSettingsPatchSchema>;

export const alertTestSchema = z.strictObject({
  via: z.enum(VIAS).optional().describe('Every way that is set when left out.'),
});

export type AlertTestRequest = z.output<typeof alertTestSchema>;

export const alertTestAnswerSchema = z
  .object({
    results: z
      .array(
        z.object({
          via: z.enum(VIAS),
          ok: z.boolean(),
          latency_ms: z.int(),
          message: z.string(),
          message_phrases: phrasesSchema.describe('The message, phrase by phrase.'),
        }),
      )
      .describe('Empty where nothing is set.'),
  })
  .meta({ id: 'AlertTest' });

export const alertSecretSchema = z
  .object({
    secrets: z
      .array(z.string())
      .describe('Any of them may have signed a webhook, by Standard Webhooks; two during a rotation.'),
  })
  .meta({ id: 'AlertSecrets' });
