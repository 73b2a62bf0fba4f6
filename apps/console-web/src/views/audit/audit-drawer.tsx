import type { AuditEntry } from '../../api/console-api.js';
import { Breakable } from '../../components/breakable.js';
import { CodeBlock } from '../../components/code-block.js';
import { Facts } from '../../components/facts.js';
import { Drawer } from '../../components/modal.js';
import { Moment } from '../../components/moment.js';
import { sayCode } from '../../messages/say-code.js';
import { useMessages } from '../../messages/use-messages.js';

/** A change: what it was, what it became. */
export function AuditDrawer({
  entry,
  onClose,
}: {
  readonly entry: AuditEntry;
  readonly onClose: () => void;
}) {
  const { audit: messages, errors, detail } = useMessages();
  return (
    <Drawer title={capitalize(sayCode(messages.actions, entry.action))} onClose={onClose}>
      <Facts
        facts={[
          [messages.what, <code className="wrap-anywhere font-mono text-xs">{entry.action}</code>],
          [messages.who, sayCode(messages.actors, entry.actor_email)],
          [messages.when, <Moment at={entry.created_at} isAbsolute />],
          [
            messages.target,
            <span className="flex flex-wrap items-baseline gap-x-2">
              {sayCode(messages.types, entry.target_type)}
              <code className="wrap-anywhere font-mono text-xs">
                <Breakable text={entry.target_id} />
              </code>
            </span>,
          ],
          [messages.address, entry.address],
          [
            errors.requestId,
            <code className="wrap-anywhere font-mono text-xs">
              <Breakable text={entry.request_id} />
            </code>,
          ],
        ]}
      />
      {(['before', 'after'] as const).map((name) => {
        const value = entry[name];
        return (
          value !== null && (
            <section key={name}>
              <h3 className="mb-2 font-semibold">
                {entry.before === null ? detail.details : messages[name]}
              </h3>
              <CodeBlock text={JSON.stringify(value, null, 2)} label={messages[name]} />
            </section>
          )
        );
      })}
    </Drawer>
  );
}

/** As titles begin. */
function capitalize(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
