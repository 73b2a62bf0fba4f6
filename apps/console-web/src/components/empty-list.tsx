import type { ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.js';
import { Button } from './button.js';
import { EmptyState } from './empty-state.js';

interface EmptyListProps {
  readonly title: string;
  /** What to do so that something stands here; said where no filter is set. */
  readonly text: string;
  /** What is filtered by; empty while nothing is. */
  readonly filters: object;
  /** Takes all filters away. */
  readonly onClear: () => void;
  /** What leads on where no filter is set. */
  readonly children?: ReactNode;
}

/** What stands in a list without rows: whether there are none at all, or none that its filters leave. */
export function EmptyList({ title, text, filters, onClear, children }: EmptyListProps) {
  const { actions } = useMessages();
  if (Object.keys(filters).length === 0) {
    return (
      <EmptyState title={title} text={text}>
        {children}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={title} text={actions.noMatch}>
      <Button onClick={onClear}>{actions.showAll}</Button>
    </EmptyState>
  );
}
