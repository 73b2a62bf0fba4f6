import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api/api-query.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../messages/use-messages.js';

/** A link works for an hour of this session; while the drawer is open the player keeps the one that it has. */
const LINK_IS_FRESH_MS = 30 * 60_000;

/** Plays what a task made, from the Console's own address. */
export function TaskVideo({ taskId }: { readonly taskId: string }) {
  const { tasks: messages } = useMessages();
  const link = useQuery({
    ...apiQuery('/api/v1/tasks/{id}/content', { path: { id: taskId } }),
    staleTime: LINK_IS_FRESH_MS,
    refetchOnWindowFocus: false,
  });
  const [isGone, setGone] = useState(false);
  if (link.isPending) return <Skeleton lines={4} />;
  if (link.error) return <ErrorNotice error={link.error} onRetry={() => void link.refetch()} />;
  if (isGone) return <p className="text-muted">{messages.videoGone}</p>;
  return (
    <video
      controls
      playsInline
      preload="metadata"
      aria-label={messages.video}
      src={link.data.url}
      className="max-h-96 w-full rounded-lg bg-black"
      onError={() => setGone(true)}
    />
  );
}
