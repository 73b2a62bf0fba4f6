import { type CallerToken, formatUsd, GatewayError, type NanoUsd } from '@mg/contract';
import type { Balance, CallerAccount, UsageSum } from '@mg/persistence/gateway';
import { askAccount } from './ask-account.js';

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_DAYS = 30;
const MOST_DAYS = 400;
const GROUPS = ['day', 'model'] as const;
/** Beyond it a moment is a slip of the pen, and far beyond it none that Postgres knows. */
const LATEST_MS = Date.UTC(9999, 11, 31);
const CENTS_PER_DOLLAR = 100n;

type Query = Readonly<Record<string, unknown>>;

/** What the caller's API key has used, by day or by model, and what is left. @throws GatewayError naming the query's field. */
export async function showUsage(caller: CallerToken, query: Query, account: CallerAccount) {
  const group = GROUPS.find((name) => name === (query.group_by ?? 'day'));
  if (!group) throw refuseQuery('group_by', `must be one of ${GROUPS.join(', ')}`);
  const { from, to } = readSpan(query, 'from', 'to');
  const [balance, sums] = await askAccount(
    Promise.all([account.readBalance(caller), account.sumUsage(caller, group, from, to)]),
  );
  const known = needBalance(balance);
  return {
    object: 'usage',
    from: from.toISOString(),
    to: to.toISOString(),
    token: {
      id: caller.id,
      name: caller.name,
      spending_quota: known.quota === undefined ? null : formatUsd(known.quota),
      used: formatUsd(known.used),
      remaining: known.quota === undefined ? null : formatUsd(atLeastZero(known.quota - known.used)),
      expires_at: caller.expiresAt === undefined ? null : new Date(caller.expiresAt).toISOString(),
    },
    wallet: {
      balance: formatUsd(known.balance),
      held: formatUsd(known.held),
      available: formatUsd(known.balance - known.held + known.creditLimit),
    },
    total_cost: formatUsd(totalOf(sums)),
    data: sums.map((sum) => ({
      [group]: sum.key,
      calls: sum.calls,
      errors: sum.errors,
      input_tokens: sum.inputTokens,
      output_tokens: sum.outputTokens,
      cost: formatUsd(sum.cost),
    })),
  };
}

/** The answer that clients of OpenAI's old billing API expect: limits in USD. */
export async function showSubscription(caller: CallerToken, account: CallerAccount) {
  const { balance, creditLimit, quota, used } = needBalance(await askAccount(account.readBalance(caller)));
  const limit = toDollars(quota ?? atLeastZero(balance + creditLimit) + used);
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: caller.expiresAt === undefined ? 0 : Math.floor(caller.expiresAt / 1_000),
  };
}

/** What a key has spent, in hundredths of a dollar, as clients of OpenAI's old billing API expect it. */
export async function showBillingUsage(caller: CallerToken, query: Query, account: CallerAccount) {
  const { from, to } = readSpan(query, 'start_date', 'end_date');
  const sums = await askAccount(account.sumUsage(caller, 'day', from, to));
  return {
    object: 'list',
    daily_costs: sums.map((sum) => ({
      timestamp: Date.parse(`${sum.key}T00:00:00Z`) / 1_000,
      line_items: [{ name: 'All models', cost: toCents(sum.cost) }],
    })),
    total_usage: toCents(totalOf(sums)),
  };
}

/** What was put in, used and is left, in USD, as clients of OpenAI's old billing API expect it. */
export async function showCredits(caller: CallerToken, account: CallerAccount) {
  const { balance, held, creditLimit, quota, used } = needBalance(
    await askAccount(account.readBalance(caller)),
  );
  const available = balance - held + creditLimit;
  const left = quota === undefined || quota - used > available ? available : quota - used;
  return {
    object: 'credit_summary',
    total_granted: toDollars(atLeastZero(left) + used),
    total_used: toDollars(used),
    total_available: toDollars(atLeastZero(left)),
  };
}

/** A stretch of time: days such as 2027-01-31, moments, or seconds since the epoch; the last 30 days when left out. */
function readSpan(query: Query, fromName: string, toName: string): { from: Date; to: Date } {
  const now = Date.now();
  const to = readMoment(query, toName) ?? new Date(now + DAY_MS);
  const from = readMoment(query, fromName) ?? new Date(Math.min(to.getTime(), now) - DEFAULT_DAYS * DAY_MS);
  if (from > to) throw refuseQuery(fromName, `must not be after ${toName}`);
  if (to.getTime() - from.getTime() > MOST_DAYS * DAY_MS) {
    throw refuseQuery(fromName, `must be at most ${MOST_DAYS} days before ${toName}`);
  }
  return { from, to };
}

function readMoment(query: Query, name: string): Date | undefined {
  const text = query[name];
  if (text === undefined || text === '') return undefined;
  if (typeof text === 'string') {
    const moment = new Date(/^\d{9,10}$/.test(text) ? Number(text) * 1_000 : text);
    // Not a number is neither.
    if (moment.getTime() >= 0 && moment.getTime() <= LATEST_MS) return moment;
  }
  throw refuseQuery(name, 'must be a day such as 2027-01-31, a moment, or seconds since the epoch');
}

function refuseQuery(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${problem}.`, { param });
}

function needBalance(balance: Balance | undefined): Balance {
  if (balance) return balance;
  throw new GatewayError('invalid_api_key', 'The API key does not exist any more.');
}

function totalOf(sums: readonly UsageSum[]): NanoUsd {
  return sums.reduce((total, sum) => total + sum.cost, 0n);
}

function atLeastZero(amount: NanoUsd): NanoUsd {
  return amount > 0n ? amount : 0n;
}

/** Those old answers are JSON numbers: for showing, never for reckoning. */
function toDollars(amount: NanoUsd): number {
  return Number.parseFloat(formatUsd(amount));
}

function toCents(amount: NanoUsd): number {
  return Number.parseFloat(formatUsd(amount * CENTS_PER_DOLLAR));
}
