import { formatUsd } from '@mg/contract';
import type { TokenRow } from '@mg/persistence/console';
import type { z } from 'zod';
import { writeDuration } from '../channels/channel-timeouts.js';
import type { tokenSchema } from './token-schemas.js';

export type TokenView = z.output<typeof tokenSchema>;

function toCapture({ captureSeconds, captureUntil }: TokenRow): TokenView['capture'] {
  if (captureSeconds === null || (captureUntil !== null && captureUntil.getTime() <= Date.now())) return null;
  return { keep_seconds: captureSeconds, until: captureUntil?.toISOString() ?? null };
}

function toFormerEnd({ formerKeyUntil: end }: TokenRow): TokenView['former_key_until'] {
  return end !== null && end.getTime() > Date.now() ? end.toISOString() : null;
}

/** What is shown of a token: everything but its key and the hash of it. */
export function toTokenView(token: TokenRow): TokenView {
  return {
    id: token.id,
    name: token.name,
    user_id: token.userId,
    wallet_id: token.walletId,
    key_hint: `${token.keyPrefix}...${token.keyLast4}`,
    former_key_until: toFormerEnd(token),
    allowed_models: token.allowedModels,
    allowed_ips: token.allowedIps,
    spending_quota: token.spendingQuota === null ? null : formatUsd(token.spendingQuota),
    used: formatUsd(token.used),
    held: formatUsd(token.held),
    expires_at: token.expiresAt?.toISOString() ?? null,
    disabled: token.disabled,
    disabled_by: token.disabled ? token.disabledBy : null,
    limits: token.limits,
    budgets: token.budgets,
    cache: writeDuration(token.cacheMs ?? undefined) ?? null,
    capture: toCapture(token),
    default_model: token.defaultModel,
    store_responses: token.storeResponses,
    created_at: token.createdAt.toISOString(),
  };
}
