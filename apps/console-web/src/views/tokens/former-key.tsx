import { useMutation } from '@tanstack/react-query';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Moment } from '../../components/moment.js';
import { useMessages } from '../../messages/use-messages.js';

interface FormerKeyProps {
  readonly tokenId: string;
  readonly until: string;
}

/** Until when the key before a rotation works; it can be stopped earlier. */
export function FormerKey({ tokenId, until }: FormerKeyProps) {
  const { tokens: messages } = useMessages();
  const refresh = useRefresh();
  const stop = useMutation({
    mutationFn: async () => {
      await api.patch('/api/v1/tokens/{id}', { path: { id: tokenId }, body: { former_key_until: null } });
      await refresh('/api/v1/tokens');
    },
  });
  return (
    <div className="mt-4 flex flex-col gap-2">
      <p className="bg-warn-soft text-warn flex flex-wrap items-center justify-between gap-2 rounded-lg px-3 py-2">
        <span>
          {messages.formerUntil} <Moment at={until} isAbsolute />
        </span>
        <Button isSmall disabled={stop.isPending} onClick={() => stop.mutate()}>
          {messages.stopFormer}
        </Button>
      </p>
      {stop.error && <ErrorNotice error={stop.error} />}
    </div>
  );
}
