import type { ConsoleClient, TokenRow } from '../../clients/console-client.js';
import { type ConsoleUnderTest, UPSTREAM_KEY } from '../console-page.js';
import { callGateway, chatWith } from '../stage.js';

export const LONG_SLUG = 'accounts/fireworks/models/llama-v4-maverick-instruct-basic';
export const MEMBER = {
  email: 'member-of-the-northern-subsidiary@engineering.long-company-name.example.com',
  password: 'a password of eight',
};
const PASSWORD = 'a password of eight';
const CALLS_OF_A_MODEL = 4;
const MANY_KEYS = 36;
const HOUR_MS = 3_600_000;
const DAY_S = 86_400;

/** Prices in USD for a million tokens. */
const CHAT_PRICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [LONG_SLUG]: { input_per_million: '0.22', output_per_million: '0.88', cached_input_per_million: '0.055' },
  'claude-sonnet-4-5-20250929': {
    input_per_million: '3',
    output_per_million: '15',
    cached_input_per_million: '0.3',
  },
  'deepseek-r1-distill-llama-70b': {
    input_per_million: '0.000000125',
    output_per_million: '1234.567891234',
  },
  'gemini-2.5-flash-lite-preview-09-2025': { input_per_million: '0.1', output_per_million: '0.4' },
  'qwen3-235b-a22b-instruct-2507': { input_per_million: '0.6', output_per_million: '2.4' },
};

export const PROJECT_MEMBER = { email: 'li.xiaoming@research.example.cn', password: PASSWORD };
export const PROJECT_VIEWER = { email: 'jo@example.com', password: PASSWORD };

const USERS = [
  { ...MEMBER, name: 'Maximiliane Wolkenstein-Trostburg', role: 'member' },
  { ...PROJECT_MEMBER, name: '李晓明', role: 'member' },
  { email: 'ops@example.com', password: PASSWORD, name: 'On call', role: 'administrator' },
  { ...PROJECT_VIEWER, name: '', role: 'member' },
] as const;

const RICH_WALLET = 'Research and Development of the Northern Subsidiary';
const TOP_UPS: Readonly<Record<string, string>> = {
  [RICH_WALLET]: '1234567.89',
  nano: '0.000000125',
  研发部预付费钱包: '98.7',
};

interface SeededRow {
  readonly id: string;
}

/**
 * Fills a product that has just started as an operator's is after a while: long names, small and large sums, failures.
 *
 * @returns how many calls it has seen.
 */
export async function seedOperator(product: ConsoleUnderTest, console: ConsoleClient): Promise<number> {
  const users = new Map<string, string>();
  for (const user of USERS) {
    users.set(user.email, (await console.demand<SeededRow>('POST', '/users', user)).id);
  }
  await seedModels(product, console);
  const walletId = await seedWallets(console, users.get(MEMBER.email) ?? '');
  await seedProjects(console, users);
  const key = await seedKeys(console, walletId);
  await console.demand('POST', '/redemption-codes', { amount: '25', count: 50, note: 'Autumn campaign' });
  const calls = await seedCalls(product, key);
  await console.demand('PATCH', '/alerts/settings', {
    rules: { channel_failing: { failed: 3 }, wallet_balance: { below: '900' } },
    webhook_url: 'https://127.0.0.1:1/hook-of-the-operators-on-call',
    email_to: [MEMBER.email, 'ops@example.com'],
  });
  return calls;
}

async function seedModels({ upstream }: ConsoleUnderTest, console: ConsoleClient): Promise<void> {
  for (const [slug, price] of Object.entries({ ...CHAT_PRICES, 'always-fails': { per_request: '0.1' } })) {
    await console.demand('POST', '/models', { slug, kind: 'chat', price, context_window: 262_144 });
  }
  const channel = {
    type: 'openai-compatible',
    base_url: `${upstream.url}/v1`,
    api_keys: [UPSTREAM_KEY, 'sk-a-second-key-of-the-channel'],
  };
  const slugs = Object.keys(CHAT_PRICES);
  const channels = [
    {
      name: 'fireworks-production-eu-central-1',
      models: Object.fromEntries(slugs.map((slug) => [slug, 'cached-prompt'])),
    },
    { name: 'flaky', models: { [LONG_SLUG]: 'error-500' }, priority: 10, api_keys: [UPSTREAM_KEY] },
    { name: 'wrong key', models: { 'always-fails': 'plain' }, api_keys: ['sk-a-wrong-provider-key'] },
    { name: 'dead host', base_url: 'http://127.0.0.1:1/v1', models: ['always-fails', 'no-such-model'] },
    { name: 'switched off', models: slugs, enabled: false },
  ];
  for (const each of channels) await console.demand('POST', '/channels', { ...channel, ...each });
  await console.demand('POST', '/channels', {
    name: 'batches of the provider',
    type: 'anthropic',
    api_key: 'sk-ant-a-key-of-nobody',
    models: ['claude-sonnet-4-5-20250929'],
    batches: 'native',
    enabled: false,
  });
}

/** @returns the id of the wallet that is never empty. */
async function seedWallets(console: ConsoleClient, ownerId: string): Promise<string> {
  const ids: Record<string, string> = {};
  for (const [name, amount] of Object.entries(TOP_UPS)) {
    const body = { name, user_id: ownerId, budgets: { month: '1000' } };
    const { id } = await console.demand<SeededRow>('POST', '/wallets', body);
    const topUp = { amount, note: `Invoice 2026-11 of ${name}`, idempotency_key: name };
    await console.demand('POST', `/wallets/${id}/topups`, topUp);
    ids[name] = id;
  }
  await console.demand('POST', '/wallets', { name: 'empty', credit_limit: '250' });
  return ids[RICH_WALLET] ?? '';
}

async function seedProjects(console: ConsoleClient, users: ReadonlyMap<string, string>): Promise<void> {
  const project = await console.demand<SeededRow>('POST', '/projects', {
    name: 'The assistant of the northern branch, second generation',
  });
  await console.demand('POST', '/projects', { name: '客服助手' });
  const roles = ['owner', 'member', 'member', 'viewer'];
  for (const [place, id] of [...users.values()].entries()) {
    await console.demand('PUT', `/projects/${project.id}/members/${id}`, { role: roles[place] });
  }
  const invitation = { role: 'viewer', email: 'guest-of-the-northern-subsidiary@long-company.example.com' };
  await console.demand('POST', `/projects/${project.id}/invitations`, invitation);
  await console.demand('POST', `/projects/${project.id}/invitations`, { role: 'member' });
  const keys = { project_id: project.id, user_id: users.get(MEMBER.email) };
  await console.demand('POST', '/tokens', { name: 'nightly evaluation of the summaries', ...keys });
  const theirs = { project_id: project.id, user_id: users.get(PROJECT_MEMBER.email) };
  await console.demand('POST', '/tokens', { name: 'summaries of a member', ...theirs });
}

/** @returns a key that may call everything. */
async function seedKeys(console: ConsoleClient, walletId: string): Promise<string> {
  const make = (name: string, rest: object = {}) =>
    console.demand<TokenRow>('POST', '/tokens', { name, ...rest });
  for (let n = 1; n <= MANY_KEYS; n += 1) await make(`batch-worker-${n}`);
  const leaked = await make('leaked-to-a-public-repository');
  await console.demand('POST', `/tokens/${leaked.id}/rotate`, { grace_seconds: 7 * DAY_S });
  await make('expired', { expires_at: '2026-01-01T00:00:00Z' });
  await make('disabled', { disabled: true });
  await make('limit reached', { spending_quota: '0' });
  await make('only two models', { allowed_models: [LONG_SLUG, 'claude-sonnet-4-5-20250929'] });
  const key = await make('production-backend-of-the-customer-support-assistant', {
    wallet_id: walletId,
    budgets: { day: '5', month: '1000' },
    spending_quota: '123456.789',
    limits: { rpm: 1000, tpm: 5_000_000 },
    allowed_ips: ['127.0.0.0/8', '2001:db8:85a3::/48'],
  });
  const until = new Date(Date.now() + HOUR_MS).toISOString();
  await console.demand('PUT', `/tokens/${key.id}/capture`, { until });
  return key.key ?? '';
}

async function seedCalls(product: ConsoleUnderTest, key: string): Promise<number> {
  let calls = 0;
  const ask = async (path: string, body: object) => {
    await callGateway({ product }, key, path, body);
    calls += 1;
  };
  for (let n = 0; n < CALLS_OF_A_MODEL; n += 1) {
    for (const model of [...Object.keys(CHAT_PRICES), 'sandbox-chat', 'always-fails']) {
      await ask('/v1/chat/completions', chatWith(model));
    }
  }
  await ask('/v1/chat/completions', chatWith('no-such-model-of-any-provider'));
  await ask('/v1/images/generations', { model: 'sandbox-image', prompt: 'A lighthouse', n: 1 });
  for (const prompt of ['Waves', 'Clouds']) {
    await ask('/v1/video/generations', { model: 'sandbox-video', prompt });
  }
  return calls;
}
