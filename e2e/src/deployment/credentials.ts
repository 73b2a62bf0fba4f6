/**
 * Every secret of the deployments. Each holds the word that a test looks for in all output of the processes: none may
 * ever be printed.
 */
export const CANARY = 'canary';

export const ADMIN = { email: 'admin@example.com', password: `${CANARY}-admin-password` } as const;

export const PROVIDER_KEYS = [`sk-${CANARY}-provider-1`, `sk-${CANARY}-provider-2`] as const;

export const SECRETS = {
  jwt: `${CANARY}-jwt-secret-of-more-than-32-characters`,
  encryption: `${CANARY}-encryption-key-of-more-than-32-characters`,
  metrics: `${CANARY}-metrics-token`,
} as const;

/** Passwords of planes as processes of their own, each for the plane's own role in Postgres and its own user of Redis. */
export const PLANE_PASSWORDS = {
  gateway: `${CANARY}-password-of-the-gateway`,
  billing: `${CANARY}-password-of-billing`,
  'video-worker': `${CANARY}-password-of-the-worker`,
  console: `${CANARY}-password-of-the-console`,
} as const;

/** API keys of callers, by what is special about their token. */
export const KEYS = {
  main: `sk-${CANARY}-main-000001`,
  restricted: `sk-${CANARY}-restricted-000001`,
  disabled: `sk-${CANARY}-disabled-000001`,
  expired: `sk-${CANARY}-expired-000001`,
  poor: `sk-${CANARY}-poor-000001`,
  tenCalls: `sk-${CANARY}-ten-calls-000001`,
  tenCallQuota: `sk-${CANARY}-ten-call-quota-000001`,
  spentQuota: `sk-${CANARY}-spent-quota-000001`,
  ledger: `sk-${CANARY}-ledger-000001`,
  batches: `sk-${CANARY}-batches-000001`,
  dryBatches: `sk-${CANARY}-dry-batches-000001`,
  googleBatches: `sk-${CANARY}-google-batches-000001`,
  crash: `sk-${CANARY}-crash-000001`,
  late: `sk-${CANARY}-late-000001`,
  rules: `sk-${CANARY}-rules-000001`,
  rulesSpent: `sk-${CANARY}-rules-spent-000001`,
  deposits: `sk-${CANARY}-deposits-000001`,
  videos: `sk-${CANARY}-videos-000001`,
  limited: `sk-${CANARY}-limited-000001`,
  budgeted: `sk-${CANARY}-budgeted-000001`,
  cappedByFunds: `sk-${CANARY}-capped-000001`,
} as const;
