import type { Alert } from '../api/console-api.js';
import { showUsd } from '../money/usd.js';

const count = new Intl.NumberFormat('en');

/** What an alert says, with its figures as the page writes them: those of the API's sentence are plain. */
export function describeInEnglish({ kind, level, facts, text }: Alert): string {
  const name = `“${facts['name']}”`;
  const usd = (fact: string) => showUsd(String(facts[fact]));
  const figure = (fact: string) => count.format(Number(facts[fact]));
  switch (kind) {
    case 'wallet_balance':
      return `Wallet ${name} has ${usd('balance')} left, its credit limit is ${usd('credit_limit')}: together less than ${usd('below')}.`;
    case 'budget': {
      const share = level === 'reached' ? 'is reached' : 'has come to 80%';
      return `The budget of ${facts['of']} ${name} for the ${facts['period']} ${share}: ${usd('spent')} of ${usd('amount')} are spent.`;
    }
    case 'queue_age':
      return `The queue of ${facts['name']} is late: the oldest of ${figure('waiting')} waits for ${figure('oldest_seconds')} s, more than ${figure('limit_seconds')} s.`;
    default:
      return text;
  }
}
