import { useMutation } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { CapturedCall, Token } from '../../api/console-api.js';
import { useRows } from '../../api/use-rows.js';
import { Badge } from '../../components/badge.js';
import { Breakable } from '../../components/breakable.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Moment } from '../../components/moment.js';
import { RowList } from '../../components/row-list.js';
import { showToast } from '../../components/show-toast.js';
import type { Column } from '../../components/table.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';
import { BodiesDrawer } from './bodies-drawer.js';
import { CaptureForm } from './capture-form.js';

const REFRESH_MS = 10_000;
const SHOWN = 10;

/** Whether bodies of a key's calls are kept, and those that are; for administrators. */
export function CaptureCard({ token }: { readonly token: Token }) {
  const { captures: messages } = useMessages();
  const calls = useRows(
    '/api/v1/captures',
    { query: { token_id: token.id, limit: SHOWN } },
    { refreshMs: REFRESH_MS },
  );
  const [opened, setOpened] = useState<string>();
  return (
    <Card title={messages.title} note={messages.text}>
      <div className="flex flex-col gap-4">
        <CaptureState token={token} />
        <RowList
          caption={messages.title}
          pages={calls}
          columns={useCaptureColumns()}
          keyOf={(call) => call.request_id}
          nameOf={(call) => messages.open(call.request_id)}
          onOpen={(call) => setOpened(call.request_id)}
          empty={<p className="text-muted">{messages.empty}</p>}
        />
      </div>
      {opened !== undefined && <BodiesDrawer requestId={opened} onClose={() => setOpened(undefined)} />}
    </Card>
  );
}

/** Until when bodies are kept, with the button that begins or ends it. What the configuration file says ends there. */
function CaptureState({ token }: { readonly token: Token }) {
  const { captures: messages, done } = useMessages();
  const refresh = useRefresh();
  const [isStarting, setStarting] = useState(false);
  const stop = useMutation({
    mutationFn: () => api.delete('/api/v1/tokens/{id}/capture', { path: { id: token.id } }),
    onSuccess: () => showToast(done.captureStopped(token.name)),
    onSettled: () => refresh('/api/v1/tokens', '/api/v1/audit'),
  });
  const { capture } = token;
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        {capture ? <CaptureUntil capture={capture} /> : <Badge>{messages.off}</Badge>}
        {capture === null && (
          <Button isSmall onClick={() => setStarting(true)}>
            {messages.start}
          </Button>
        )}
        {capture !== null && capture.until !== null && (
          <Button isSmall disabled={stop.isPending} onClick={() => stop.mutate()}>
            {messages.stop}
          </Button>
        )}
      </div>
      {stop.error && <ErrorNotice error={stop.error} />}
      {isStarting && <CaptureForm token={token} onClose={() => setStarting(false)} />}
    </>
  );
}

/** That bodies are kept, and until when. */
export function CaptureUntil({ capture }: { readonly capture: NonNullable<Token['capture']> }) {
  const { captures: messages } = useMessages();
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Badge tone="warn">{messages.on}</Badge>
      {capture.until === null ? (
        messages.byFile
      ) : (
        <span>
          {messages.until} <Moment at={capture.until} isAbsolute />
        </span>
      )}
    </span>
  );
}

function useCaptureColumns(): readonly Column<CapturedCall>[] {
  const { captures: messages, detail, errors } = useMessages();
  const count = useCount();
  return [
    {
      header: errors.requestId,
      cell: ({ row: { original: call } }) => (
        <code className="block wrap-anywhere text-pretty font-mono text-xs">
          <Breakable text={call.request_id} />
        </code>
      ),
    },
    {
      header: messages.bodies,
      meta: { hideOnPhones: true },
      cell: ({ row: { original: call } }) =>
        call.parts.map(({ part, bytes }, at) => (
          <Fragment key={part}>
            {at > 0 && <wbr />}
            <span className="whitespace-nowrap">
              {messages.part(messages.parts[part], messages.bytes(count(bytes)))}
              {at < call.parts.length - 1 && detail.comma}
            </span>
          </Fragment>
        )),
    },
    {
      header: messages.when,
      meta: { isNumber: true },
      cell: ({ row: { original: call } }) => <Moment at={call.created_at} />,
    },
    {
      header: messages.expires,
      meta: { isNumber: true, hideOnPhones: true },
      cell: ({ row: { original: call } }) => <Moment at={call.expires_at} />,
    },
  ];
}
