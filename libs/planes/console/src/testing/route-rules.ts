/** Rows that the tests make for each of two members, and rows that are nobody's. */
export type OwnedRow = 'token' | 'wallet' | 'log' | 'task';

/**
 * Who may call a route, and whose rows it touches:
 * - `public`: anybody, signed in or not.
 * - `administrator`: administrators alone.
 * - `self`: any user, and it concerns nobody but the caller.
 * - `same for all`: any user; it answers the same to each.
 * - a list: any user; members find rows of their own in it and of nobody else.
 * - a row: any user; another's row is answered like one that there is not.
 */
export type RouteRule =
  'public' | 'administrator' | 'self' | 'same for all' | { readonly list: true } | { readonly row: OwnedRow };

/** A rule for every route. One that is not here fails the tests. */
export const ROUTE_RULES: Readonly<Record<string, RouteRule>> = {
  'POST /api/v1/auth/login': 'public',
  'POST /api/v1/auth/refresh': 'public',
  'GET /api/v1/settings/public': 'public',
  'POST /api/v1/auth/logout': 'self',
  'GET /api/v1/me': 'self',
  'POST /api/v1/me/password': 'self',
  'POST /api/v1/redemption-codes/redeem': 'self',
  'GET /api/v1/catalog': 'same for all',
  'GET /api/v1/tokens': { list: true },
  'POST /api/v1/tokens': 'self',
  'GET /api/v1/tokens/{id}': { row: 'token' },
  'PATCH /api/v1/tokens/{id}': { row: 'token' },
  'DELETE /api/v1/tokens/{id}': { row: 'token' },
  'POST /api/v1/tokens/{id}/rotate': { row: 'token' },
  'GET /api/v1/tokens/{id}/budgets': { row: 'token' },
  'GET /api/v1/wallets': { list: true },
  'GET /api/v1/wallets/totals': 'self',
  'GET /api/v1/wallets/{id}': { row: 'wallet' },
  'GET /api/v1/wallets/{id}/entries': { row: 'wallet' },
  'GET /api/v1/wallets/{id}/budgets': { row: 'wallet' },
  'PATCH /api/v1/wallets/{id}': 'administrator',
  'POST /api/v1/wallets/{id}/topups': 'administrator',
  'GET /api/v1/logs': { list: true },
  'GET /api/v1/logs.csv': { list: true },
  'GET /api/v1/logs/{request_id}': { row: 'log' },
  'GET /api/v1/usage': { list: true },
  'GET /api/v1/usage/series': { list: true },
  'GET /api/v1/waste': 'administrator',
  'GET /api/v1/system/attempts': 'administrator',
  'GET /api/v1/tasks': { list: true },
  'GET /api/v1/tasks/{id}': { row: 'task' },
  'GET /api/v1/channels': 'administrator',
  'POST /api/v1/channels': 'administrator',
  'GET /api/v1/channels/{id}': 'administrator',
  'PATCH /api/v1/channels/{id}': 'administrator',
  'DELETE /api/v1/channels/{id}': 'administrator',
  'POST /api/v1/channels/{id}/test': 'administrator',
  'POST /api/v1/channels/{id}/discover': 'administrator',
  'POST /api/v1/channels/{id}/models': 'administrator',
  'GET /api/v1/channel-types': 'administrator',
  'GET /api/v1/models': 'administrator',
  'POST /api/v1/models': 'administrator',
  'GET /api/v1/models/{path}': 'administrator',
  'PATCH /api/v1/models/{path}': 'administrator',
  'POST /api/v1/price-imports': 'administrator',
  'GET /api/v1/price-imports/{id}': 'administrator',
  'POST /api/v1/price-imports/{id}/apply': 'administrator',
  'GET /api/v1/redemption-codes': 'administrator',
  'POST /api/v1/redemption-codes': 'administrator',
  'PATCH /api/v1/redemption-codes/{id}': 'administrator',
  'GET /api/v1/redemption-codes/{id}/codes': 'administrator',
  'GET /api/v1/users': 'administrator',
  'POST /api/v1/users': 'administrator',
  'GET /api/v1/users/{id}': 'administrator',
  'GET /api/v1/users/{id}/budgets': 'administrator',
  'PATCH /api/v1/users/{id}': 'administrator',
  'GET /api/v1/audit': 'administrator',
  'PUT /api/v1/tokens/{id}/capture': 'administrator',
  'DELETE /api/v1/tokens/{id}/capture': 'administrator',
  'GET /api/v1/captures': 'administrator',
  'GET /api/v1/captures/{request_id}': 'administrator',
  'GET /api/v1/alerts': 'administrator',
  'GET /api/v1/alerts/settings': 'administrator',
  'PATCH /api/v1/alerts/settings': 'administrator',
  'GET /api/v1/alerts/secret': 'administrator',
  'POST /api/v1/alerts/test': 'administrator',
  'GET /api/v1/settings': 'administrator',
  'GET /api/v1/system': 'administrator',
};

/** A body that each route would take; a route with a body that is not here fails the tests. */
export const GOOD_BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /api/v1/auth/login': { email: 'nobody@example.com', password: 'x' },
  'POST /api/v1/auth/refresh': { refresh_token: 'x' },
  'POST /api/v1/me/password': { current_password: 'x', new_password: 'a new password' },
  'POST /api/v1/tokens': {
    name: 'new',
    allowed_models: ['sandbox-chat'],
    spending_quota: '1',
    expires_at: null,
  },
  'PATCH /api/v1/tokens/{id}': { name: 'other', disabled: true },
  'PATCH /api/v1/wallets/{id}': { credit_limit: '1' },
  'POST /api/v1/wallets/{id}/topups': { amount: '1', note: '', idempotency_key: 'k' },
  'POST /api/v1/channels': {
    name: 'new',
    type: 'openai',
    api_key: 'sk-of-the-test',
    models: {},
    settings: {},
    timeout: { connect: '3s' },
  },
  'PATCH /api/v1/channels/{id}': { weight: 2, timeout: { connect: '3s' } },
  'POST /api/v1/channels/{id}/test': { model: 'a' },
  'POST /api/v1/channels/{id}/models': { models: [{ name: 'a', slug: 'a', kind: 'chat' }], enabled: true },
  'POST /api/v1/models': { slug: 'new', kind: 'chat', price: { input_per_million: '1' } },
  'PATCH /api/v1/models/{path}': { state: 'disabled', price: { input_per_million: '1' } },
  'POST /api/v1/users': { email: 'new@example.com', password: 'a new password', role: 'member' },
  'PATCH /api/v1/users/{id}': { role: 'administrator' },
  'POST /api/v1/price-imports': { content: 'a: { per_image: 1 }', format: 'yaml', source: '' },
  'POST /api/v1/redemption-codes': { amount: '1', count: 1, note: '', expires_at: null },
  'PATCH /api/v1/redemption-codes/{id}': { disabled: true },
  'POST /api/v1/redemption-codes/redeem': { code: 'x' },
  'PATCH /api/v1/alerts/settings': { rules: { queue_age: { seconds: 30 } }, email_to: ['ops@example.com'] },
  'POST /api/v1/alerts/test': { via: 'webhook' },
  'PUT /api/v1/tokens/{id}/capture': { until: new Date(Date.now() + 3_600_000).toISOString() },
};
