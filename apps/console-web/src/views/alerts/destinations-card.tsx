import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.js';
import type { AlertSettings, AlertTest } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { Breakable } from '../../components/breakable.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { CodeBlock } from '../../components/code-block.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Facts } from '../../components/facts.js';
import { Dialog } from '../../components/modal.js';
import { useMessages } from '../../messages/use-messages.js';
import { usePhrases } from '../../messages/use-phrases.js';

/** Where alerts go, with a test of it. */
export function DestinationsCard({ settings }: { readonly settings: AlertSettings }) {
  const { alerts: messages } = useMessages();
  const test = useMutation({ mutationFn: () => api.post('/api/v1/alerts/test') });
  const [isReading, setReading] = useState(false);
  const { email } = settings;
  return (
    <Card title={messages.destinations}>
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            [messages.vias.webhook, <Address address={settings.webhook} />],
            [messages.vias.email, <Address address={email} />],
            [messages.emailFrom, email && settings.email_from],
            [messages.emailTo, email && <Recipients addresses={settings.email_to} />],
          ]}
        />
        <div className="flex flex-wrap gap-2">
          <Button isSmall disabled={test.isPending} onClick={() => test.mutate()}>
            {test.isPending ? messages.testing : messages.test}
          </Button>
          <Button isSmall onClick={() => setReading(true)}>
            {messages.secret}
          </Button>
        </div>
        {test.error && <ErrorNotice error={test.error} />}
        {test.data && <TestResults results={test.data.results} />}
      </div>
      {isReading && <SecretDialog onClose={() => setReading(false)} />}
    </Card>
  );
}

function Recipients({ addresses }: { readonly addresses: readonly string[] }) {
  const { alerts: messages } = useMessages();
  if (addresses.length === 0) return messages.everyAdministrator;
  return (
    <ul>
      {addresses.map((address) => (
        <li key={address}>
          <Breakable text={address} />
        </li>
      ))}
    </ul>
  );
}

function Address({ address }: { readonly address: AlertSettings['webhook'] }) {
  const { alerts: messages } = useMessages();
  if (address === null) return <span className="text-muted">{messages.unset}</span>;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <code className="font-mono text-xs wrap-anywhere">
        <Breakable text={address.address} />
      </code>
      {address.source === 'environment' && <Badge>{messages.ofEnvironment}</Badge>}
    </span>
  );
}

function TestResults({ results }: Pick<AlertTest, 'results'>) {
  const { alerts: messages } = useMessages();
  const say = usePhrases();
  return (
    <ul role="status" className="flex flex-col gap-1">
      {results.length === 0 && <li className="text-warn">{messages.nothingSet}</li>}
      {results.map(({ via, ok, latency_ms: ms, message_phrases: phrases }) => (
        <li key={via} className={`break-words ${ok ? 'text-good' : 'text-bad'}`}>
          {ok
            ? messages.testSent(messages.vias[via], ms)
            : messages.testFailed(messages.vias[via], say(phrases))}
        </li>
      ))}
    </ul>
  );
}

/** What webhooks are signed with. It is asked for by a button alone: every request for it is in the audit log. */
function SecretDialog({ onClose }: { readonly onClose: () => void }) {
  const { alerts: messages } = useMessages();
  const secret = useMutation({ mutationFn: () => api.get('/api/v1/alerts/secret') });
  return (
    <Dialog title={messages.secret} onClose={onClose}>
      <p className="text-muted">{messages.secretText}</p>
      {secret.error && <ErrorNotice error={secret.error} />}
      {secret.data ? (
        <CodeBlock text={secret.data.secrets.join('\n')} label={messages.secret} />
      ) : (
        <Button
          kind="primary"
          className="self-start"
          disabled={secret.isPending}
          onClick={() => secret.mutate()}
        >
          {messages.secretShow}
        </Button>
      )}
    </Dialog>
  );
}
