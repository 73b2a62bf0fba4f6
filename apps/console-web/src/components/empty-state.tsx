import type { ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.js';

interface EmptyStateProps {
  readonly title: string;
  /** What to do so that something stands here. */
  readonly text: string;
  /** What is filtered by; where something is, that is why nothing is shown. */
  readonly filters?: object;
  readonly children?: ReactNode;
}

export function EmptyState({ title, text, filters = {}, children }: EmptyStateProps) {
  const { actions } = useMessages();
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-12 text-center">
      <p className="font-medium">{title}</p>
      <p className="text-muted max-w-md text-balance">{isFiltered ? actions.nothingLeft : text}</p>
      {children !== undefined && children !== false && !isFiltered && (
        <div className="mt-3 flex flex-wrap justify-center gap-2">{children}</div>
      )}
    </div>
  );
}
