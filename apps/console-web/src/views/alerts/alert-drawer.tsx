import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Alert } from '../../api/console-api.js';
import { Badge, type Tone } from '../../components/badge.js';
import { Facts } from '../../components/facts.js';
import { Drawer } from '../../components/modal.js';
import { Moment } from '../../components/moment.js';
import { useMessages } from '../../messages/use-messages.js';
import { usePhrases } from '../../messages/use-phrases.js';
import { AlertState } from './alert-state.js';

type DeliveryState = Alert['deliveries'][number]['state'] | 'retrying';

const DELIVERY_TONES: Readonly<Record<DeliveryState, Tone>> = {
  waiting: 'plain',
  retrying: 'warn',
  delivered: 'good',
  given_up: 'bad',
};

/** What waits after a failure is said to be tried again. */
function stateOf({ state, error }: Alert['deliveries'][number]): DeliveryState {
  return state === 'waiting' && error !== null ? 'retrying' : state;
}

/** An alert: what was seen, and whether it reached anybody. */
export function AlertDrawer({ alert, onClose }: { readonly alert: Alert; readonly onClose: () => void }) {
  const { alerts: messages } = useMessages();
  return (
    <Drawer title={messages.kinds[alert.kind]} onClose={onClose}>
      <p className="break-words">{messages.describe(alert)}</p>
      <Facts
        facts={[
          [messages.state, <AlertState alert={alert} />],
          [messages.subject, <Subject alert={alert} />],
          [messages.firedAt, <Moment at={alert.fired_at} isAbsolute />],
          [messages.resolvedAt, alert.resolved_at && <Moment at={alert.resolved_at} isAbsolute />],
        ]}
      />
      <section>
        <h3 className="mb-3 font-semibold">{messages.deliveries}</h3>
        <Deliveries deliveries={alert.deliveries} />
      </section>
    </Drawer>
  );
}

function Deliveries({ deliveries }: Pick<Alert, 'deliveries'>) {
  const { alerts: messages } = useMessages();
  const say = usePhrases();
  if (deliveries.length === 0) return <p className="text-muted">{messages.toNobody}</p>;
  return (
    <ul className="flex flex-col gap-3">
      {deliveries.map((delivery) => (
        <li key={`${delivery.via} ${delivery.event}`} className="border-line rounded-lg border p-3">
          <div className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{messages.vias[delivery.via]}</span>
            <Badge tone={DELIVERY_TONES[stateOf(delivery)]}>
              {messages.deliveryStates[stateOf(delivery)]}
            </Badge>
            <span className="text-muted text-xs">
              {messages.events[delivery.event]} · {messages.tries(delivery.attempts)}
            </span>
          </div>
          {delivery.error !== null && (
            <p className="text-bad mt-1 text-xs break-words">{say(delivery.error_phrases)}</p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What the alert is about, with the way to its page. */
function Subject({ alert }: { readonly alert: Alert }): ReactNode {
  const { alerts: messages } = useMessages();
  const known: Readonly<Record<string, string>> = messages.subjects;
  const name = known[alert.subject] ?? String(alert.facts['name'] ?? alert.subject);
  const [id = ''] = alert.subject.split('/');
  const className = 'text-accent underline underline-offset-4';
  const of = alert.kind === 'budget' ? alert.facts['of'] : alert.kind;
  if (of === 'channel_failing') {
    return (
      <Link to="/channels/$channelId" params={{ channelId: id }} className={className}>
        {name}
      </Link>
    );
  }
  if (of === 'wallet_balance' || of === 'wallet') {
    return (
      <Link to="/wallets/$walletId" params={{ walletId: id }} className={className}>
        {name}
      </Link>
    );
  }
  if (of === 'token') {
    return (
      <Link to="/tokens/$tokenId" params={{ tokenId: id }} className={className}>
        {name}
      </Link>
    );
  }
  if (of === 'user') {
    return (
      <Link to="/users/$userId" params={{ userId: id }} className={className}>
        {name}
      </Link>
    );
  }
  return (
    <Link to="/health" className={className}>
      {name}
    </Link>
  );
}
