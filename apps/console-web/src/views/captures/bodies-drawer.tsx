import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/api-query.js';
import type { CapturedBodies } from '../../api/console-api.js';
import { CodeBlock } from '../../components/code-block.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Facts } from '../../components/facts.js';
import { Drawer } from '../../components/modal.js';
import { Moment } from '../../components/moment.js';
import { Skeleton } from '../../components/skeleton.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';
import { formatBody } from './format-body.js';

interface BodiesDrawerProps {
  readonly requestId: string;
  readonly onClose: () => void;
}

/** The bodies of a call. They are asked for once: every request for them is in the audit log. */
export function BodiesDrawer({ requestId, onClose }: BodiesDrawerProps) {
  const { captures: messages, errors } = useMessages();
  const bodies = useQuery({
    ...apiQuery('/api/v1/captures/{request_id}', { path: { request_id: requestId } }),
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Drawer title={messages.detail} onClose={onClose}>
      {bodies.isPending && <Skeleton lines={8} />}
      {bodies.error && <ErrorNotice error={bodies.error} onRetry={() => void bodies.refetch()} />}
      {bodies.data && (
        <>
          <Facts
            facts={[
              [
                errors.requestId,
                <Link
                  to="/logs"
                  search={{ call: requestId }}
                  className="text-accent font-mono text-xs underline underline-offset-4"
                >
                  {requestId}
                </Link>,
              ],
              [messages.expires, <Moment at={bodies.data.expires_at} isAbsolute />],
            ]}
          />
          {bodies.data.parts.map((part) => (
            <BodyPart key={part.part} part={part} />
          ))}
          <p className="text-muted text-xs">{messages.looked}</p>
        </>
      )}
    </Drawer>
  );
}

function BodyPart({ part }: { readonly part: CapturedBodies['parts'][number] }) {
  const { captures: messages } = useMessages();
  const count = useCount();
  const title = messages.parts[part.part];
  return (
    <section>
      <h3 className="font-semibold">{title}</h3>
      <p className="text-muted mb-2 text-xs">
        {[part.content_type, messages.bytes(count(part.bytes)), part.truncated && messages.truncated]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {part.text === null ? (
        <p className="text-muted">{messages.unreadable}</p>
      ) : (
        part.text !== '' && <CodeBlock text={formatBody(part.text)} label={title} />
      )}
    </section>
  );
}
