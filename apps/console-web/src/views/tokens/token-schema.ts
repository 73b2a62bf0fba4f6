import * as z from 'zod/mini';
import type { Token } from '../../api/console-api.js';
import { duration, moment, name, networks, orNothing, required, slugs, usd } from '../../forms/texts.js';
import { writeMoment } from '../../layout/time-zone.js';
import { budgetsSchema, limitsSchema, toBudgetTexts, toLimitTexts } from '../limits/limits-schema.js';

const id = orNothing(required, undefined);

/** A key as it is written in its form. A project and a user are named for a new one alone. */
export const tokenSchema = z.object({
  name,
  project_id: id,
  wallet_id: id,
  user_id: id,
  allowed_models: slugs(null),
  allowed_ips: networks(null),
  spending_quota: orNothing(usd, null),
  expires_at: orNothing(moment, null),
  cache: orNothing(duration, null),
  limits: limitsSchema,
  budgets: budgetsSchema,
  enabled: z.boolean(),
});

export type TokenTexts = z.input<typeof tokenSchema>;

/** @param token `undefined` for a new one. @param projectId what a new one is for at first. */
export function toTokenTexts(token: Token | undefined, projectId = ''): TokenTexts {
  return {
    name: token?.name ?? '',
    project_id: projectId,
    wallet_id: token?.wallet_id ?? '',
    user_id: '',
    allowed_models: token?.allowed_models?.join(', ') ?? '',
    allowed_ips: token?.allowed_ips?.join(', ') ?? '',
    spending_quota: token?.spending_quota ?? '',
    expires_at: token?.expires_at ? writeMoment(new Date(token.expires_at)) : '',
    cache: token?.cache ?? '',
    limits: toLimitTexts(token),
    budgets: toBudgetTexts(token),
    enabled: token?.disabled !== true,
  };
}
