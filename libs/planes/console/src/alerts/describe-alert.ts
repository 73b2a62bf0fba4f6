import { formatUsd } from '@mg/contract';
import type { AlertEvent, AlertFacts, AlertRow } from '@mg/persistence/console';

/** What a receiver is sent of an alert: `text` for people and chats, `data` for programs. */
export interface AlertMessage {
  readonly type: `alert.${AlertEvent | 'test'}`;
  readonly timestamp: string;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Amounts in nano-dollars; everybody outside reads USD. */
const AMOUNTS: ReadonlySet<string> = new Set(['balance', 'credit_limit', 'below', 'amount', 'spent']);
const LONGEST_NAME = 80;
const LONGEST_REASON = 200;

export function writeAlert(alert: AlertRow, event: AlertEvent): AlertMessage {
  const sentence = describeAlert(alert);
  return {
    type: `alert.${event}`,
    timestamp: new Date().toISOString(),
    text: event === 'resolved' ? `Resolved: ${sentence}` : sentence,
    data: {
      id: alert.id,
      kind: alert.kind,
      subject: alert.subject,
      level: alert.level,
      facts: showFacts(alert.facts),
      fired_at: alert.firedAt.toISOString(),
      resolved_at: alert.resolvedAt?.toISOString() ?? null,
    },
  };
}

export function writeTest(): AlertMessage {
  return {
    type: 'alert.test',
    timestamp: new Date().toISOString(),
    text: 'A test of alerts by Model Gateway: they arrive here.',
    data: {},
  };
}

/** Facts as they are shown: amounts in USD. */
export function showFacts(facts: AlertFacts): Record<string, string | number | null> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      AMOUNTS.has(name) && typeof value === 'string' ? formatUsd(BigInt(value)) : value,
    ]),
  );
}

/** One sentence in plain English. */
export function describeAlert({ kind, level, facts }: Pick<AlertRow, 'kind' | 'level' | 'facts'>): string {
  const shown = showFacts(facts);
  const name = quote(facts.name);
  switch (kind) {
    case 'channel_failing': {
      const reason = shown['reason'] === null ? '' : `: ${plain(String(shown['reason']), LONGEST_REASON)}`;
      return `Channel ${name} fails: ${shown['failed']} attempts of the last ten minutes failed, ${shown['served']} were served${reason}`;
    }
    case 'wallet_balance':
      return `Wallet ${name} has ${shown['balance']} USD left, its credit limit is ${shown['credit_limit']} USD: together less than ${shown['below']} USD.`;
    case 'budget': {
      const share = level === 'reached' ? 'is reached' : 'is reached to 80 %';
      return `The budget of ${shown['of']} ${name} for the ${shown['period']} ${share}: ${shown['spent']} of ${shown['amount']} USD are spent.`;
    }
    case 'ledger_drift':
      return `The ledger does not agree with itself: ${shown['figures']} figures differ from the sums of their rows.`;
    case 'queue_age':
      return `The queue of ${facts.name} is late: the oldest of ${shown['waiting']} waits for ${shown['oldest_seconds']} s, more than ${shown['limit_seconds']} s.`;
  }
}

function quote(name: string): string {
  return `"${plain(name, LONGEST_NAME)}"`;
}

/** Names are chosen by people: in a chat they must not call anybody, and in a mail not begin a line. */
function plain(text: string, most: number): string {
  return text.replace(/[\p{Cc}\p{Cf}<>@`]+/gu, ' ').slice(0, most);
}
