import type { Alert } from '../api/console-api.js';
import { showUsd } from '../money/usd.js';

const PERIODS: Readonly<Record<string, string>> = { day: 'daily', week: 'weekly', month: 'monthly' };

/** What an alert says, with amounts as everywhere on the page: the sentence of the API has them as programs read them. */
export function describeInEnglish({ kind, level, facts, text }: Alert): string {
  const name = `“${facts['name']}”`;
  const usd = (fact: string) => showUsd(String(facts[fact]));
  const count = (fact: string) => Number(facts[fact]).toLocaleString('en');
  switch (kind) {
    case 'channel_failing': {
      const reason = facts['reason'] === null ? '' : `: ${facts['reason']}`;
      return `Channel ${name} fails: ${count('failed')} attempts of the last ten minutes failed, ${count('served')} were served${reason}`;
    }
    case 'wallet_balance':
      return `Wallet ${name} has ${usd('balance')} left and a credit limit of ${usd('credit_limit')}: together less than ${usd('below')}.`;
    case 'budget': {
      const share = level === 'reached' ? 'is used up' : 'is used to 80%';
      const period = PERIODS[String(facts['period'])] ?? facts['period'];
      const subject = facts['of'] === 'token' ? 'key' : facts['of'];
      return `The ${period} budget of ${subject} ${name} ${share}: ${usd('spent')} of ${usd('amount')} spent.`;
    }
    case 'queue_age':
      return `The queue of ${facts['name']} is late: the oldest of ${count('waiting')} has waited ${count('oldest_seconds')}\u00a0s, more than ${count('limit_seconds')}\u00a0s.`;
    default:
      return text;
  }
}
